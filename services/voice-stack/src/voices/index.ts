/** Voices of providers: their inventories, and checks whether a publication's voices are in them. */
export { checkVoices } from './check-voices';
export { Inventories } from './inventories';
export { listVoices } from './list-voices';
