/**
 * What every service does the same way: public routes with the tenant guard, paging, If-Match, and creations that an Idempotency-Key repeats.
 */
export { creating, type CreatingOptions, type Outcome } from './idempotency/creating';
export { AlreadyRemembered, recall, remember } from './idempotency/memory';
export { idempotencyPruner, type PrunerOptions } from './idempotency/prune';
export { creatingRequest, type CreatingRequest, type Remembered } from './idempotency/request';
export { requireMatch } from './if-match';
export { pageDocument, pagePosition, type PagePosition } from './paging';
export { PublicCall, type PublicResult } from './public-call';
export { publicService, type PublicHandlers, type RoutesOf } from './public-service';
export { requireOperator, tenantOf } from './tenant';
