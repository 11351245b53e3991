/** Calls whose worker is lost or releases them, and the state from which another worker continues (ADR 86). */
export { lineToHandOver, putSnapshot } from './call-snapshots.sql';
export { grantSeconds, mayBeTakenUp } from './handover.rules';
export { loseWorker, loadResume } from './resume';
