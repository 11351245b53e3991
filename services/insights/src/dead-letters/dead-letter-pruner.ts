import { poller, type Database, type Logger, type Poller } from '@parley/runtime';
import { deleteOldDeadLetters } from './dead-letters.cross-tenant.sql';

export interface DeadLetterPrunerOptions {
  readonly db: Database;
  readonly log: Logger;
}

/**
 * Deletes events that could not be handled after a week: they contain what was said in calls, and insights is not informed of erasures. Their calls can still be
 * extracted with a rerun.
 */
export function deadLetterPruner({ db, log }: DeadLetterPrunerOptions): Poller {
  return poller({
    name: 'dead-letter-pruner',
    everyMs: 3_600_000,
    log,
    run: async () => {
      const deleted = await deleteOldDeadLetters(db);
      if (deleted > 0) log.info({ deleted }, 'events that could not be handled a week ago were deleted');
    },
  });
}
