/** Publications, stored by the hash of their content. */
export { getPublication } from './find-publication';
export { putPublication } from './publications.sql';
