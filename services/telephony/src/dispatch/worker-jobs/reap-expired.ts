import type { Queryable } from '@parley/runtime';
import {
  lockCall,
  type Call,
  advanceThrough,
  type CallTrigger,
  type TriggerFacts,
  recordSteps,
  finishJob,
  lockExpired,
  type LockedJob,
  countWaiting,
  putBack,
  loseWorker,
} from '../../books';
import { countReap, readReapState, takeReaping, type LeaseTimes } from './lease-watch.cross-tenant.sql';
import { reapsLeft } from './reaper-gate.rules';
import { keepReportedTurns } from './report-turns';
import type { Telephony } from '../../telephony';

/** `nothing`: there is no lease to reap, or another replica is reaping; `deferred`: reaping would end a call, but this minute's limit is reached. */
export type Reaped = 'put_back' | 'handed_over' | 'finished' | 'nothing' | 'deferred';

export interface ReapOptions {
  readonly times: LeaseTimes;
  /** Calls of one set of workers that may be ended per minute regardless of its number of leases. */
  readonly atLeast: number;
  /** Jobs to skip, because they could not be reaped before. */
  readonly except: readonly string[];
}

/** Reaping a job failed. The other jobs must not wait for it. */
export class UnreapableJob extends Error {
  constructor(
    readonly jobId: string,
    cause: unknown,
  ) {
    super(`job ${jobId} could not be taken away from its worker`, { cause });
    this.name = 'UnreapableJob';
  }
}

/**
 * Takes one expired lease from its worker. Before the permit, the job returns to its queue. After it, someone's phone may already have rung: the call is
 * finished with the known facts, and its number is not dialed again. All conditions are checked within the transaction by the database's clock: whether
 * requests of workers arrive at all, and how many calls all replicas together may still end in this minute. That limit applies separately to the hosted workers
 * and to each organization's own workers, so that none uses up the limit of others. A job that returns to its queue ends no call and is not counted.
 * @throws UnreapableJob
 */
export async function reapExpired(
  telephony: Pick<Telephony, 'db' | 'onCommit' | 'linesDue'>,
  { times, atLeast, except }: ReapOptions,
): Promise<Reaped> {
  const reaped = await telephony.db.transaction(async (tx): Promise<Reaped> => {
    if (!(await takeReaping(tx, times.leaseMs / 3))) return 'nothing';
    const { heard, counts } = await readReapState(tx, times);
    const bounded = counts.filter((count) => reapsLeft({ ...count, atLeast }) === 0).map(({ workersOf }) => workersOf);
    const job = await lockExpired(tx, { except, heard, bounded });
    if (job === undefined) {
      return bounded.length === 0 || !(await lockExpired(tx, { except, heard, bounded: [] })) ? 'nothing' : 'deferred';
    }
    const taken = await takeAway(tx, job).catch((error: unknown) => {
      throw new UnreapableJob(job.jobId, error);
    });
    if (taken === 'finished') await countReap(tx, job.workersOf);
    return taken;
  });
  if (reaped === 'handed_over') telephony.linesDue();
  if (reaped === 'put_back' || reaped === 'finished') telephony.onCommit(reaped === 'put_back');
  return reaped;
}

async function takeAway(tx: Queryable, job: LockedJob): Promise<'put_back' | 'handed_over' | 'finished'> {
  const locked = await lockCall(tx, job.organizationId, job.callId);
  if (locked === undefined) throw new Error(`job ${job.jobId} has no call`);
  if (!job.permitted && locked.call.status === 'queued') {
    await putBack(tx, job.organizationId, job.jobId);
    await countWaiting(tx, new Map([[job.organizationId, 1]]));
    return 'put_back';
  }
  if ((await loseWorker(tx, job, true)) === 'lost') return 'handed_over';
  const steps = advanceThrough(locked.call, lastMoves(locked.call, job.cancelRequested, locked.now));
  const after = await recordSteps(tx, locked.call, steps, locked.now);
  await keepReportedTurns(tx, after, locked.now);
  await finishJob(tx, job.jobId, true);
  return 'finished';
}

function lastMoves(call: Call, cancelRequested: boolean, at: Date): [CallTrigger, TriggerFacts][] {
  const lost: TriggerFacts = { at, endedReason: 'worker_lost' };
  if (call.status === 'dialing' && cancelRequested) {
    return [['cancel', { at, endedReason: 'canceled', reasonDetail: 'worker_lost' }]];
  }
  return [
    [call.status === 'dialing' ? 'fail' : 'end', lost],
    ['complete', { at }],
  ];
}
