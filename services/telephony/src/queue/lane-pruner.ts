import { poller, type Background, type Database, type Logger } from '@parley/runtime';
import { pruneLanes } from './waiting.cross-tenant.sql';

const batch = 500;

/** Removes lanes in which nothing waits, so that claims never walk over them. */
export function createLanePruner(db: Database, log: Logger): Background {
  const run = async (signal: AbortSignal): Promise<void> => {
    let pruned: number;
    do pruned = await db.transaction((tx) => pruneLanes(tx, batch));
    while (pruned === batch && !signal.aborted);
  };
  return poller({ name: 'lane-pruner', everyMs: 15_000, run, log });
}
