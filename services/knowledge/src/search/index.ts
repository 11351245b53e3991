/** Questions to knowledge bases. */
export { askBase, askBases } from './ask';
