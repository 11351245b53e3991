import { agentWords } from './agents';
import { callWords } from './calls';
import { platformWords } from './platform';

export { classWords } from './classes';
export { words } from './everywhere';

/** What fields mean that their names alone do not say, by class and field. A class that extends another one has its words too. */
export const fieldWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ...agentWords,
  ...callWords,
  ...platformWords,
};
