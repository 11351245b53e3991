import { agentWords } from './agents';
import { callWords } from './calls';
import { platformWords } from './platform';

export { classWords } from './classes';
export { words } from './everywhere';

/** The meaning of fields that their names alone do not convey, by class and field. They also apply to subclasses. */
export const fieldWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ...agentWords,
  ...callWords,
  ...platformWords,
};
