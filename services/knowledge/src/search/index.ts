/** Search in knowledge bases. */
export { askBase, askBases, type AskParts } from './ask';
export { KnownSigns } from './known-signs';
