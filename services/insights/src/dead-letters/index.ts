/** Deletes events that could not be handled, after a week. */
export { deadLetterPruner } from './dead-letter-pruner';
