import type { Queryable } from '@parley/runtime';
import { lockCall, type Call, advanceThrough, type CallTrigger, type TriggerFacts, recordSteps } from '../calls';
import { countReap, readReapState, takeReaping, type LeaseTimes } from './lease-watch.cross-tenant.sql';
import { finishJob, lockExpired, type LockedJob, countWaiting, putBack } from '../queue';
import { loseWorker } from '../handover';
import { reapsLeft } from './reaper-gate.rules';
import { keepReportedTurns } from './report-turns';
import type { Telephony } from '../telephony';

/** `nothing`: no lease to reap, or another replica is reaping; `deferred`: calls would end, but this minute's limit is reached. */
export type Reaped = 'put_back' | 'handed_over' | 'finished' | 'nothing' | 'deferred';

export interface ReapOptions {
  readonly times: LeaseTimes;
  /** Calls of one worker set that may end per minute regardless of its number of leases. */
  readonly atLeast: number;
  /** Jobs that could not be reaped. */
  readonly except: readonly string[];
}

/** A job that could not be reaped; the others must not wait for it. */
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
 * Takes one expired lease away. Before the permit the job goes back into its queue. After it somebody's phone may have rung: the record is finished
 * with what is known, and no number is dialled again. Everything is judged in the transaction itself, by the database's clock: that workers are
 * heard, and how many calls all replicas together may end in this minute: of the hosted workers, and of each organization's own ones, so that no
 * organization's workers use up what others need. A job that goes back to the queue ends no call and does not count towards the limit of a minute.
 * @throws UnreapableJob
 */
export async function reapExpired(telephony: Telephony, { times, atLeast, except }: ReapOptions): Promise<Reaped> {
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
