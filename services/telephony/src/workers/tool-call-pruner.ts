import { poller, type Background, type Database, type Logger } from '@parley/runtime';
import { pruneToolCalls, pruneTurns } from './old-tool-calls.cross-tenant.sql';

const batch = 500;

/** Removes tool calls and reported turns a day later: no call lasts longer, and what they hold is on the transcript. */
export function createToolCallPruner(db: Database, log: Logger): Background {
  const run = async (signal: AbortSignal): Promise<void> => {
    for (const prune of [pruneToolCalls, pruneTurns]) {
      let pruned: number;
      do pruned = await prune(db, batch);
      while (pruned === batch && !signal.aborted);
    }
  };
  return poller({ name: 'tool-call-pruner', everyMs: 600_000, run, log });
}
