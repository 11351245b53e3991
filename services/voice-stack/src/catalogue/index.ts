/** The catalogue: providers, their models and voices, and what they cost. */
export { createCatalogue } from './catalogue';
export { describeCatalogue, type CatalogueDescription } from './describe-catalogue';
