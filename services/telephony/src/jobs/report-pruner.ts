import { poller, type Background, type Database, type Logger } from '@parley/runtime';
import { pruneReports } from '../db/jobs/reports';

const batch = 5_000;

/** A worker repeats a report for minutes at most. What comes later is answered by the state of the call. */
const keptHours = 24;

/** Forgets the answers to reports of jobs that are over. */
export function createReportPruner(db: Database, log: Logger): Background {
  const run = async (signal: AbortSignal): Promise<void> => {
    let pruned: number;
    do pruned = await pruneReports(db, keptHours, batch);
    while (pruned === batch && !signal.aborted);
  };
  return poller({ name: 'report-pruner', everyMs: 600_000, run, log });
}
