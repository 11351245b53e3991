/** Calls: their records, transitions, events, transcripts, and reads. */
export { type CallEvent, callEvent, eventOf } from './call-event.rules';
export { announcement, appendCallEvents } from './call-events.sql';
export { type Finding, asDetected, withFinding } from './call-evidence.rules';
export { databaseNow, insertCall } from './call-insert.sql';
export { blankCall, callOfAgent } from './call-of-agent';
export { type CallRow, callOf, selectedCall } from './call-rows.sql';
export {
  type CallStep,
  type CallTrigger,
  type TriggerFacts,
  advanceThrough,
  reportTriggers,
} from './call-transitions.rules';
export { countTurns, listTurns, putTurns, takeTurns } from './call-turns.sql';
export type { Call, CallStatus, PolicyDecision } from './call.rules';
export { listDraftCalls, findCall, lockCall, writeCall } from './calls.sql';
export { hasLiveCalls, organizationOfCall } from './organization-of-call';
export { holdOf, paidSeconds } from './holds.rules';
export { putInputLog } from './input-logs.sql';
export { getCall, getInputLog, getTranscript, listCallEventPage, listCallPage } from './read-calls';
export { recordSteps } from './record-steps';
export { callEtag, renderCall } from './render-call.rules';
export { askForTranscriptTranslation, endTranscriptTranslation } from './transcript-translations.sql';
export { findTranscript, putTranscript } from './transcripts.sql';
export { translationTarget, wantedTranslation } from './translation-target.rules';
