/** Search in knowledge bases. */
export { askBase, askBases } from './ask';
