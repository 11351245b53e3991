/** Agent endpoints: their records, signing secrets and recoveries, and the effect of changes on their waiting deliveries. */
export { createEndpoint } from './create-endpoint';
export { deleteEndpoint } from './delete-endpoint';
export { eachOf, isLockedQueue, isThatOne, lockedDeliveries, lockedQueues } from './row-locks.cross-tenant.sql';
export type { Dependencies } from './dependencies';
export { endpointCreated, endpointRecord } from './endpoint-views.rules';
export { etagOf, type Endpoint } from './endpoint.rules';
export { alive, lockEndpoint } from './endpoints.sql';
export { findAudioStream, endpointForDeletion, endpointForRead, listEndpoints } from './read-endpoints';
export { listRecoveries, recoverEndpoint, recoveryRecord } from './recover-endpoint';
export { recoveryRunner } from './recovery-runner';
export { rotateSecret, sealedSecrets } from './rotate-secret';
export { signingPurpose } from './signing-secret.rules';
export { updateEndpoint } from './update-endpoint';
export { wakeQueue } from './waiting-deliveries.sql';
