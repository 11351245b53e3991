import { poller, type Background, type Database, type Logger } from '@parley/runtime';
import { deleteOldKeys } from './key-owner.cross-tenant.sql';

/** Days for which lists show a key that was revoked or has expired. */
const keptDays = 90;
const everyMs = 3_600_000;
const batch = 500;

/** Deletes keys that ended long ago. The audit log still names them by id. */
export function keyPruner({ db, log }: { db: Database; log: Logger }): Background {
  const run = async (signal: AbortSignal): Promise<void> => {
    for (let deleted = batch; deleted === batch && !signal.aborted;) deleted = await deleteOldKeys(db, keptDays, batch);
  };
  return poller({ name: 'key-pruner', everyMs, log, run });
}
