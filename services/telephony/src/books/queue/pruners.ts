import { pruneSnapshots, pruneToolCalls, pruneTurns } from '../calls/old-turns.cross-tenant.sql';
import { deleteOldJobs, recordExists } from './old-jobs.cross-tenant.sql';
import { reportRing } from './reports.cross-tenant.sql';
import { outboxRing, partitionKeeper } from '@parley/outbox';
import { poller, type Background, type Database, type Logger, type Registry } from '@parley/runtime';
import { idempotencyPruner } from '@parley/service';
import { pruneQueues } from './waiting.cross-tenant.sql';

/** Jobs are kept as long as reports are stored and as long as their events can be published again. */
const keptDays = 9;
const batch = 500;

/** Deletes jobs that are done, so that the table contains only waiting and recent jobs. */
export function createJobPruner(db: Database, log: Logger): Background {
  const run = async (signal: AbortSignal): Promise<void> => {
    for (let after: string | undefined = ''; after !== undefined && !signal.aborted;) {
      after = (await deleteOldJobs(db, keptDays, after, batch)).last;
    }
  };
  return poller({ name: 'job-pruner', everyMs: 3_600_000, run, log });
}

/** Deletes empty queues, so that claims need not scan them. */
export function createQueuePruner(db: Database, log: Logger): Background {
  const run = async (signal: AbortSignal): Promise<void> => {
    let pruned: number;
    do pruned = await db.transaction((tx) => pruneQueues(tx, batch));
    while (pruned === batch && !signal.aborted);
  };
  return poller({ name: 'organization-queue-pruner', everyMs: 15_000, run, log });
}

/** Deletes tool calls, reported turns and snapshots after a day: no call lasts longer, and the transcript contains the turns and tool calls. */
export function createToolCallPruner(db: Database, log: Logger): Background {
  const run = async (signal: AbortSignal): Promise<void> => {
    for (const prune of [pruneToolCalls, pruneTurns, pruneSnapshots]) {
      let pruned: number;
      do pruned = await prune(db, batch);
      while (pruned === batch && !signal.aborted);
    }
  };
  return poller({ name: 'tool-call-pruner', everyMs: 600_000, run, log });
}

export interface PrunersOptions {
  readonly db: Database;
  readonly log: Logger;
  readonly metrics: Registry;
  /** How long a partition of the outbox and of the stored reports is. */
  readonly ringPeriodSeconds: number;
}

/** What deletes records that are no longer needed: of jobs and calls, of the outbox, and stored responses. */
export function createPruners({ db, log, metrics, ringPeriodSeconds: periodSeconds }: PrunersOptions): Background[] {
  return [
    partitionKeeper({ db, log, metrics, rings: [outboxRing, reportRing], periodSeconds }),
    createJobPruner(db, log),
    createQueuePruner(db, log),
    createToolCallPruner(db, log),
    idempotencyPruner({ db, log, recordExists }),
  ];
}
