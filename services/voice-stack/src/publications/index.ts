/** Publications, stored by the hash of their content. */
export { findPublication, putPublication, type StoredPublication } from './publications.sql';
