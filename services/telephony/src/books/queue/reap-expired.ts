import type { Queryable } from '@parley/runtime';
import type { Call } from '../calls/call.rules';
import type { CallTrigger, TriggerFacts } from '../calls/call-transitions.rules';
import { endCall } from '../calls/end-call';
import { loseWorker } from '../calls/hand-over';
import type { Telephony } from '../../telephony';
import { lockCallOf } from './held-job';
import type { LockedJob } from './job.rules';
import { countReap, readReapState, takeReaping, type LeaseTimes } from './lease-watch.cross-tenant.sql';
import { lockExpired } from './leases.cross-tenant.sql';
import { reapsLeft } from './reaper-gate.rules';
import { returnToQueue } from './release-job';

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
  const held = await lockCallOf(tx, job);
  const { call, now } = held;
  if (!job.permitted && call.status === 'queued') {
    await returnToQueue(tx, job);
    return 'put_back';
  }
  if ((await loseWorker(tx, job, true)) === 'lost') return 'handed_over';
  await endCall(tx, held, lastMoves(call, job.cancelRequested, now));
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
