/** The queues of call jobs, one per organization, with claims and leases. */
export { adoptionFloor, isAdoptable } from './adoption-floor.sql';
export { adoptionTokenHash, newAdoptionToken } from './adoption-token.rules';
export {
  type TokenedJob,
  anyUnadopted,
  findByToken,
  insertAdoptableJob,
  leaseAdoptable,
  lockUnadopted,
} from './adoption.cross-tenant.sql';
export { observeAging } from './aging.cross-tenant.sql';
export { claimBatch } from './claim-batch';
export { WaitingFloors } from './waiting-floors';
export type { ClaimScope, ClaimedJob } from './claim.cross-tenant.sql';
export { observeJobs } from './depths.cross-tenant.sql';
export { type HeldJob, type HeldWrite, lockHeldJob } from './held-job';
export { type PausedScopes, pausedScopes } from './paused-scopes';
export { insertJob, removeJob } from './insert-job.cross-tenant.sql';
export { jobDialerOf } from './job-dialer.rules';
export { createJobPruner, createQueuePruner } from './pruners';
export { type ClaimRequest, type HandedJob, JobQueue } from './job-queue';
export { queueLock, queueRow } from './organization-queue.sql';
export { isLeased, leaseFloor } from './lease-floor.sql';
export {
  type LeaseRequest,
  type LockedJob,
  extendLease,
  extendLeases,
  finishJob,
  lineTakenBy,
  lockExpired,
  lockJob,
  lockJobOfCall,
  loseJob,
  requestCancel,
  takeOutboundLine,
  workersOf,
} from './leases.cross-tenant.sql';
export { queueFloor } from './queue-floor.sql';
export { createQueueSignal } from './queue-signal';
export { failClaimed, releaseJob, restSeconds } from './release-job';
export { recordExists } from './old-jobs.cross-tenant.sql';
export { type ReportAnswer, findReport, putReport, reportRing } from './reports.cross-tenant.sql';
export { countWaiting, putBack } from './waiting.cross-tenant.sql';
export { type LeaseInput, isOpen, lockLease } from './worker-lease';
