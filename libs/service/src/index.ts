export { creating, type CreatingOptions, type Outcome } from './creating';
export { AlreadyRemembered, recall, remember } from './memory';
export { claimFragment, type ClaimFragment, type ClaimOptions } from './claim-fragment';
export { idempotencyPruner, type PrunerOptions } from './prune';
export { creatingRequest, type CreatingRequest, type Remembered } from './request';
