import { poller, type Background, type Database, type Logger } from '@parley/runtime';
import { deleteOldChanges } from './control.cross-tenant.sql';

/**
 * How long a change is kept: many times the age at which a process verifies a key again. A process that polls no more for so long is sent
 * the whole state, and drops what it verified.
 */
const keptMs = 15 * 60_000;
const everyMs = 60_000;
/** The epoch row is locked while a batch is deleted. */
const batchSize = 1_000;

/** Deletes changes of the control state that no process can ask for. */
export function changePruner({ db, log }: { db: Database; log: Logger }): Background {
  return poller({ name: 'control-changes-prune', everyMs, log, run: (signal) => pruneChanges(db, keptMs, signal) });
}

export async function pruneChanges(db: Database, ageMs: number, signal?: AbortSignal): Promise<void> {
  while (signal?.aborted !== true) {
    if ((await deleteOldChanges(db, ageMs, batchSize)) < batchSize) return;
  }
}
