import { poller, type Background, type Database, type Logger } from '@parley/runtime';
import { foldDeltas, raiseDeltaFloor } from './fold-deltas.cross-tenant.sql';

const batch = 2_000;

/** Adds what calls have counted to the rollups of their hours. */
export function createRollupFolder(db: Database, log: Logger): Background {
  const run = async (signal: AbortSignal): Promise<void> => {
    while ((await foldDeltas(db, batch)) === batch && !signal.aborted);
    await raiseDeltaFloor(db);
  };
  return poller({ name: 'call-rollup-folder', everyMs: 15_000, run, log });
}
