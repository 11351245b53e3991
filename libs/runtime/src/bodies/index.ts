/** Reading request bodies: within a size, a pace, and the memory that a client and the process have for them. */
export { BodyBudget, openBodyBytes, type BodyAccount } from './body-budget';
export { GatheredBytes, readBody } from './read-body';
export { LateRefusals } from './late-refusals';
export { readUpload } from './read-upload';
