/** Voices of providers: their inventories, and whether a publication's are among them. */
export { checkVoices } from './check-voices';
export { Inventories } from './inventories';
export { listVoices } from './list-voices';
