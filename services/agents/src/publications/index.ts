/** The publications of an agent: reading, comparing and restoring them. */
export { diffPublication, getPublication, listPublications } from './read-publications';
export { restorePublication } from './restore-publication';
export { publishedBindings } from './published-bindings';
