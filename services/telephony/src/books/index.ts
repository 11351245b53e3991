/** The records that every hall shares: calls, their queue, organizations, wallet and statistics. Statements that span halls stand here. */

// What admission writes.
export type { Admission } from './admission/admissions.rules';
export { isRefusal, writeAdmissionBatch } from './admission/write-admissions';

// Rollups of calls: hourly sums. Additions to them are written in the transaction that ends a call.
export { countLatencies } from './analytics/count-call';
export { readCallAnalytics } from './analytics/read-analytics';
export { readUsage } from './analytics/read-usage';

// Calls: their records, transitions, events, transcripts, and reads.
export { callEvent, type CallEvent, eventOf } from './calls/call-event.rules';
export { appendCallEvents } from './calls/call-events.sql';
export { asDetected, type Finding, withFinding } from './calls/call-evidence.rules';
export { databaseNow, insertCall } from './calls/call-insert.sql';
export { blankCall, callOfAgent } from './calls/call-of-agent';
export {
  advanceThrough,
  type CallStep,
  type CallTrigger,
  reportTriggers,
  type TriggerFacts,
} from './calls/call-transitions.rules';
export { findKnown, lineToHandOver, putSnapshot } from './calls/call-snapshots.sql';
export { countTurns, listTurns, putTurns, takeTurns } from './calls/call-turns.sql';
export type { Call, CallStatus, PolicyDecision } from './calls/call.rules';
export { findCall, listDraftCalls, lockCall, pinCall, showTransfers, writeCall } from './calls/calls.sql';
export { holdOf, paidSeconds } from './calls/holds.rules';
export { putInputLog } from './calls/input-logs.sql';
export { hasLiveCalls, organizationOfCall } from './calls/organization-of-call';
export { getCall, getInputLog, getTranscript, listCallEventPage, listCallPage } from './calls/read-calls';
export { recordSteps } from './calls/record-steps';
export { callEtag, renderCall } from './calls/render-call.rules';
export {
  askForTranscriptTranslation,
  endTranscriptTranslation,
  messageTranslations,
} from './calls/transcript-translations.sql';
export { findTranscript, putTranscript } from './calls/transcripts.sql';
export { readSealedTunings, replaceTuning } from './calls/tunings.cross-tenant.sql';
export { translationTarget, wantedTranslation } from './calls/translation-target.rules';

// Erasure of what calls, messages and campaigns hold.
export { eraseCalls, eraseContacts, eraseImports, eraseMessages } from './erasure/erase';
export { replyRoute } from './erasure/erased.rules';

// Limits, billing and suspension of organizations.
export { createBillingMirror } from './organizations/billing-mirror';
export { getControls, type ReadControls, setControls } from './organizations/controls';
export { ensureOrganizationState, loadOrCreateState } from './organizations/ensure-organization-state';
export type { OrganizationState } from './organizations/organization-state.rules';
export {
  lockQueueAndState,
  lockState,
  markReserved,
  spends,
  stateColumns,
  stateOf,
  type StateRow,
  takeRoom,
} from './organizations/organization-state.sql';
export { refuseOtherProject, refuseSuspended } from './organizations/refuse-suspended';
export { noteRecent } from './organizations/velocity.rules';

// The queues of call jobs, one per organization, with claims and leases.
export { adoptionTokenHash, adoptionTokenKeys, newAdoptionToken, noAdoptionToken } from './queue/adoption-token.rules';
export {
  anyUnadopted,
  findByToken,
  insertAdoptableJob,
  leaseAdoptable,
  lockUnadopted,
  makeAdoptable,
  type TokenedJob,
} from './queue/adoption.cross-tenant.sql';
export { observeAging } from './queue/aging.cross-tenant.sql';
export { claimBatch } from './queue/claim-batch';
export type { ClaimedJob, ClaimScope } from './queue/claim.cross-tenant.sql';
export { observeJobs } from './queue/depths.cross-tenant.sql';
export { type HeldJob, type HeldWrite, lockHeldJob } from './queue/held-job';
export { insertHeldJob, insertJob, removeJob } from './queue/insert-job.cross-tenant.sql';
export { jobDialerOf } from './queue/job-dialer.rules';
export { type ClaimRequest, type HandedJob, JobQueue } from './queue/job-queue';
export {
  extendLease,
  extendLeases,
  finishJob,
  type LeaseRequest,
  lineTakenBy,
  type LockedJob,
  lockExpired,
  lockJob,
  lockJobOfCall,
  requestCancel,
  takeOutboundLine,
  workersOf,
} from './queue/leases.cross-tenant.sql';
export { recordExists } from './queue/old-jobs.cross-tenant.sql';
export { pausedScopes, type PausedScopes } from './queue/paused-scopes';
export { createJobPruner, createQueuePruner, createToolCallPruner } from './queue/pruners';
export { createQueueSignal } from './queue/queue-signal';
export { failClaimed, loseWorker, releaseJob, restSeconds } from './queue/release-job';
export { findReport, putReport, type ReportAnswer, reportRing } from './queue/reports.cross-tenant.sql';
export { countWaiting, putBack } from './queue/waiting.cross-tenant.sql';
export { isOpen, type LeaseInput, lockLease } from './queue/worker-lease';

// Looks up the organization of a record for requests that do not specify it: those of operators, and reports of carriers.
export { ownerOfMessage, ownerOfSipTrunk } from './record-owners/record-owners.cross-tenant.sql';

// The wallet, its ledger and its top-ups.
export { type MessageSettlement, settleMessages } from './wallet/message-settlements.sql';
export { confirmTopUp, listTopUpPage, topUpWallet } from './wallet/top-ups';
export { getWallet, listLedgerPage } from './wallet/wallet';
