import { poller, type Background, type Database, type Logger } from '@parley/runtime';
import { pruneToolCalls } from '../db/jobs/old-tool-calls';

const batch = 500;

/** Forgets the tools of calls a day later: no call lasts longer, and what they returned is on the transcript. */
export function createToolCallPruner(db: Database, log: Logger): Background {
  const run = async (signal: AbortSignal): Promise<void> => {
    let pruned: number;
    do pruned = await pruneToolCalls(db, batch);
    while (pruned === batch && !signal.aborted);
  };
  return poller({ name: 'tool-call-pruner', everyMs: 600_000, run, log });
}
