/** Admission: placing, booking, reviewing and cancelling calls under the limits of their organization. */
export { wantedOf, whyNoWorker, writeAdoptableCall } from './adoptable-call';
export { admissionError } from './admission-error';
export { type AdmissionLook, type SendingNumber, lookForAdmission, numbersOfProject } from './admission-look.sql';
export { type AdmissionLooks, admissionLooks, lookUp } from './admission-looks';
export { type AdmissionTurns, admissionTurns } from './admission-turns';
export { admitTurn } from './admit-turn.rules';
export { type AskAgent, type AskedAgent, agentQuestions } from './agent-questions';
export { cancelCall, cancelNow } from './cancel-call';
export { admitCall, createCall } from './create-call';
export { createTestCall } from './create-test-call';
export { createTrialCall } from './create-trial-call';
export { insertStart, isStarter } from './placers.sql';
export { isRefusal } from './refusal.sql';
export { refusePlacer } from './refuse-placer';
export { resolveReview } from './resolve-review';
export { createScheduledCalls } from './scheduled-calls';
export { sendingNumber } from './sending-number';
export { noteRecent } from './velocity.rules';
