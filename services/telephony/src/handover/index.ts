/** Calls that lose their worker, or are let go by it, and what another worker goes on from (ADR 86). */
export { lineToHandOver, putSnapshot } from './call-snapshots.sql';
export { grantSeconds, mayBeTakenUp } from './handover.rules';
export { loseWorker, loadResume } from './resume';
