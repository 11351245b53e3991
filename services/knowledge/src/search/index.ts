/** Search in knowledge bases. */
export { askBase, askBases } from './ask';
export { KnownSigns } from './known-signs';
