/** Publications, stored by the hash of their content. */
export { getPublication } from './get-publication';
export { putPublication } from './publications.sql';
