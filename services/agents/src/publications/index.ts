/** The publications of an agent: reading, comparing and restoring them. */
export {
  diffPublication,
  getPublication,
  listPublications,
  publicationSha256,
  publishedBindings,
} from './read-publications';
export { restorePublication } from './restore-publication';
