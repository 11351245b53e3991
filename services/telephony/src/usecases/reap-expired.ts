import type { Queryable } from '@parley/runtime';
import { lockCall } from '../db/calls';
import { finishJob, lockExpired, type LockedJob } from '../db/jobs/leases';
import { countWaiting, putBack } from '../db/jobs/waiting';
import type { Call } from '../domain/call';
import { advanceThrough, type CallTrigger, type TriggerFacts } from '../domain/call-transitions';
import { recordSteps } from './record-steps';
import type { Telephony } from './telephony';

export type Reaped = 'put_back' | 'finished';

/** A job that could not be taken away; the others must not wait for it. */
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
 * Takes one expired lease away, of a job not in `except`; undefined when there is none. Before the permit the job goes back into its lane. After it
 * somebody's phone may have rung: the record is finished with what is known, and nobody is dialled again.
 * @throws UnreapableJob
 */
export async function reapExpired(telephony: Telephony, except: readonly string[]): Promise<Reaped | undefined> {
  const reaped = await telephony.db.transaction(async (tx) => {
    const job = await lockExpired(tx, except);
    if (job === undefined) return undefined;
    return takeAway(tx, job).catch((error: unknown) => {
      throw new UnreapableJob(job.jobId, error);
    });
  });
  if (reaped !== undefined) telephony.committed(reaped === 'put_back');
  return reaped;
}

async function takeAway(tx: Queryable, job: LockedJob): Promise<Reaped> {
  const locked = await lockCall(tx, job.organizationId, job.callId);
  if (locked === undefined) throw new Error(`job ${job.jobId} has no call`);
  if (!job.permitted && locked.call.status === 'queued') {
    await putBack(tx, job.organizationId, job.jobId);
    await countWaiting(tx, new Map([[job.organizationId, 1]]));
    return 'put_back';
  }
  const steps = advanceThrough(locked.call, lastMoves(locked.call, job.cancelRequested, locked.now));
  await recordSteps(tx, locked.call, steps, locked.now);
  await finishJob(tx, job.jobId, true);
  return 'finished';
}

function lastMoves(call: Call, cancelRequested: boolean, at: Date): [CallTrigger, TriggerFacts][] {
  const lost = { at, endedReason: 'worker_lost' };
  if (call.status === 'dialing' && cancelRequested) {
    return [['cancel', { at, endedReason: 'canceled', reasonDetail: 'worker_lost' }]];
  }
  return [
    [call.status === 'dialing' ? 'fail' : 'end', lost],
    ['complete', { at }],
  ];
}
