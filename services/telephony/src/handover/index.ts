/** Continues calls with another worker when their worker is lost or releases them (ADR 86). */
export { lineToHandOver, putSnapshot } from './call-snapshots.sql';
export { grantSeconds, mayBeTakenUp } from './handover.rules';
export { loseWorker, loadResume } from './resume';
