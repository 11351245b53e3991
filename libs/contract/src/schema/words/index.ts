import { agentWords } from './agents';
import { callWords } from './calls';
import { platformWords } from './platform';

export { classWords } from './classes';
export { words } from './everywhere';

/** Descriptions of fields whose meaning is not clear from their name, by class and field. They also apply to subclasses. */
export const fieldWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ...agentWords,
  ...callWords,
  ...platformWords,
};
