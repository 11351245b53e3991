/** The catalogue: providers, their models and voices, and what they cost. */
export { createCatalogue, describeCatalogue, type CatalogueDescription } from './catalogue';
