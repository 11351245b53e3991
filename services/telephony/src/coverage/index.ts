/** What the installation can call for an organization. */
export { readCoverage } from './read-coverage';
