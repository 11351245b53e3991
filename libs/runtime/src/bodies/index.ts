/** Reading request bodies: within a size, a pace, and the memory that a client and the process have for them. */
export { BodyBudget, openBodyBytes, type BodyAccount, type BodyBudgets, type BodyOwner } from './body-budget';
export { GatheredBytes, readBody, type BodyTerms } from './read-body';
export { readUpload } from './read-upload';
