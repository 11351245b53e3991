/** The records that every hall shares: calls, their queue, organizations, wallet and statistics. Statements that span halls stand here. */

// What admission reads and writes.
export type { Admission, AdmissionSnapshot, SendingNumber } from './admission/admissions.rules';
export { enterQueue, lockCounters, settleEntry } from './admission/enter-queue';
export { readAdmissionSnapshot, sendingNumber } from './admission/read-snapshot';
export { beginCall, startCall } from './admission/start-call';
export { isRefusal, writeAdmissionBatch } from './admission/write-admissions';

// Rollups of calls: hourly sums. Additions to them are written in the transaction that ends a call.
export { readCallAnalytics } from './analytics/read-analytics';
export { readUsage } from './analytics/read-usage';

// Calls: their records, transitions, events, transcripts, and reads.
export { type CallEvent, eventOf } from './calls/call-event.rules';
export { asDetected, type Finding, withFinding } from './calls/call-evidence.rules';
export { blankCall, callOfAgent } from './calls/call-of-agent';
export {
  advanceThrough,
  type CallStep,
  type CallTrigger,
  reportTriggers,
  type TriggerFacts,
} from './calls/call-transitions.rules';
export type { Call, CallStatus, PolicyDecision } from './calls/call.rules';
export { cancelLater, endCall, finishCall } from './calls/end-call';
export { canBeHandedOver, keepTurns, loseWorker, readResume } from './calls/hand-over';
export { holdOf, paidSeconds } from './calls/holds.rules';
export { endTranslation, keepTranscript } from './calls/keep-transcript';
export { changeSealedTunings, hasLiveCalls, listDraftCalls, organizationOfCall, showTransfers } from './calls/calls';
export {
  findCall,
  findTranscript,
  getCall,
  getInputLog,
  getTranscript,
  isOver,
  listCallEventPage,
  listCallPage,
  readTurns,
} from './calls/read-calls';
export { recordSteps } from './calls/record-steps';
export { callEtag, renderCall } from './calls/render-call.rules';
export { wantedTranslation } from './calls/translation-target.rules';

// Erasure of what calls, messages and campaigns hold.
export { eraseCalls, eraseContacts, eraseImports, eraseMessages } from './erasure/erase';
export { replyRoute } from './erasure/erased.rules';

// Limits, billing and suspension of organizations.
export { createBillingMirror } from './organizations/billing-mirror';
export { getControls, type ReadControls, setControls } from './organizations/controls';
export { ensureOrganizationState, loadOrCreateState } from './organizations/ensure-organization-state';
export type { OrganizationState, StateChange } from './organizations/organization-state.rules';
export { refuseOtherProject, refuseSuspended } from './organizations/refuse-suspended';
export { noteRecent } from './organizations/velocity.rules';

// The queues of call jobs, one per organization, with claims and leases.
export { adoptByToken, makeAdoptable } from './queue/adoption';
export { adoptionTokenHash, adoptionTokenKeys, newAdoptionToken, noAdoptionToken } from './queue/adoption-token.rules';
export { claimBatch } from './queue/claim-batch';
export {
  heartbeat,
  type HeldJob,
  type HeldWrite,
  isOpen,
  type LeaseInput,
  type LeaseState,
  lockCall,
  lockCallAndJob,
  lockCallOf,
  lockHeldJob,
  lockJobAndCall,
  lockLease,
} from './queue/held-job';
export { type ClaimRequest, type HandedJob, JobQueue } from './queue/job-queue';
export {
  type ClaimedJob,
  type ClaimScope,
  jobDialerOf,
  type LockedJob,
  type ReportAnswer,
  type TokenedJob,
} from './queue/job.rules';
export { leaseTimesOf } from './queue/lease-times.rules';
export { observeBooks } from './queue/observe';
export { gatewayOfLine, takeOutboundLine } from './queue/outbound-line';
export { pausedScopes, type PausedScopes } from './queue/paused-scopes';
export { createPruners } from './queue/pruners';
export { createQueueSignal } from './queue/queue-signal';
export { createReaper } from './queue/reaper';
export { failClaimed, releaseJob, restSeconds, returnToQueue } from './queue/release-job';
export { answerReport, type Reported } from './queue/reports';
export { createUnadoptedCalls, failAdoptable } from './queue/unadopted-calls';
export { WorkerHearing } from './queue/worker-hearing';

// The wallet, its ledger and its top-ups.
export { type DueMessage, type MessageProvisions, provideForMessages, settleMessages } from './wallet/settle-messages';
export { confirmTopUp, listTopUpPage, topUpWallet } from './wallet/top-ups';
export { getWallet, listLedgerPage } from './wallet/wallet';
