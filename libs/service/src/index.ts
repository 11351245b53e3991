/**
 * What all services do in the same way: public routes with the tenant guard, paging, If-Match, create requests with an Idempotency-Key, audit events, and
 * batches.
 */
export { checkAddress, checkDestination } from './addresses/destination.rules';
export { createAddressPolicy, type AddressPolicy } from './addresses/address-policy.rules';
export {
  auditEvent,
  auditEventBeforeTime,
  auditRecord,
  type AuditAct,
  type AuditActor,
  type AuditPayload,
  type AuditRecord,
} from './audit';
export { Batcher, type BatcherOptions, type Settled } from './batcher';
export { creating, findStoredResponseAfter, type CreatingOptions, type Outcome } from './idempotency/creating';
export { IdempotencyConflict, findStoredResponse, storeResponse } from './idempotency/stored-responses';
export { idempotencyPruner, type PrunerOptions } from './idempotency/prune';
export { idempotencyKeyFrom, type CreatingRequest, type StoredResponse } from './idempotency/request';
export { requireMatch } from './if-match';
export { errorCodesOf, networkErrorOf, type NetworkError } from './outbound/network-error';
export {
  createOutboundClient,
  type OutboundAnswer,
  type OutboundClient,
  type OutboundRequest,
} from './outbound/outbound-client';
export { signatureOf, signingKeyOf } from './outbound/signature';
export { createResolver, vettedAddresses, vettedConnector, type Resolve } from './outbound/vetted-connector';
export { createVettedRequests, type VettedRequests } from './outbound/vetted-requests';
export { pageDocument, pagePosition, type PagePosition } from './paging';
export { PublicCall, type PublicResult } from './public-call';
export { handlerGroup, publicService, type PublicHandlers, type RoutesOf } from './public-service';
export { requireContentScope, requireJobKinds, requireOperator, tenantOf } from './tenant';
export * from './asterisk/ari-client';
export { openAnnouncement, sealAnnouncement } from './asterisk/announcements';
export { changingVault } from './vault/changing-vault';
export { vaultRewrapper, type SealedSource } from './vault/rewrapper';
export { sealedColumn } from './vault/sealed-columns';
export { rewrapParts, type SealedPart } from './vault/sealed-text';
