/** Admission: placing, scheduling, reviewing and canceling calls within the limits of their organization. */
export { resolveRequest, whyNoWorker, writeAdoptableCall, type VisitorRules } from './adoptable-call';
export { admissionError } from './admission-error';
export {
  type AdmissionSnapshot,
  type SendingNumber,
  readAdmissionSnapshot,
  numbersOfProject,
} from './admission-snapshot.sql';
export { type AdmissionSnapshots, admissionSnapshots, loadAdmissionSnapshot } from './admission-snapshots';
export { type AdmissionBatches, admissionBatches } from './admission-batches';
export { admitBatch } from './admit-batch.rules';
export { type AskAgent, type AgentSnapshot, agentClient } from './agent-client';
export { cancelCall, cancelNow } from './cancel-call';
export { admitCall, createCall } from './create-call';
export { createTestCall } from './create-test-call';
export { createTrialCall } from './create-trial-call';
export { insertStart, isStarter } from './placers.sql';
export { isRefusal } from './refusal.sql';
export { placerOf, refusePlacer } from './refuse-placer';
export { resolveReview } from './resolve-review';
export { createScheduledCalls } from './scheduled-calls';
export { sendingNumber } from './sending-number';
export { noteRecent } from './velocity.rules';
