/** The catalogue: providers, their models and voices, and their prices. */
export { createCatalogue, describeCatalogue, type CatalogueDescription } from './catalogue';
