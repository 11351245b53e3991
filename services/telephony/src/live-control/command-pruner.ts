import { poller, type Background, type Database, type Logger } from '@parley/runtime';
import { pruneCommands } from './commands.cross-tenant.sql';

const batch = 500;

/** Removes commands a day later: no request waits for their outcome any more. */
export function createCommandPruner(db: Database, log: Logger): Background {
  const run = async (signal: AbortSignal): Promise<void> => {
    let pruned: number;
    do pruned = await pruneCommands(db, batch);
    while (pruned === batch && !signal.aborted);
  };
  return poller({ name: 'command-pruner', everyMs: 600_000, run, log });
}
