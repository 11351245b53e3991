import { conflict, notFound } from '@parley/errors';
import { isId, type OutgoingContext, type Queryable } from '@parley/runtime';
import { makeLineDue } from '../../lines';
import {
  lockCall,
  writeCall,
  type Call,
  advanceThrough,
  organizationOfCall,
  recordSteps,
  finishJob,
  lockJobOfCall,
  requestCancel,
  type LockedJob,
  countWaiting,
} from '../../books';
import { deleteScheduled } from './scheduled-calls.sql';
import { endLost } from '../../dispatch';
import type { Telephony } from '../../telephony';

/**
 * Cancels a call. One that was not dialed is canceled at once together with its job. If it is being dialed or in progress, its worker is requested to hang
 * up, and the call ends when the worker has done so. @throws ConflictError if the call is already over
 */
export async function cancelCall(
  telephony: Pick<Telephony, 'db' | 'onCommit' | 'linesDue'>,
  named: string,
  callId: string,
  context: OutgoingContext,
): Promise<Call> {
  if (!isId('call', callId)) throw notFound('call');
  const organizationId = await organizationOfCall(telephony.db, named, callId);
  if (organizationId === '') throw notFound('call');
  const attempt = () => telephony.db.transaction((tx) => cancelLocked(tx, organizationId, callId, context.traceparent));
  // The second attempt finds its job, or a worker has leased it.
  const after = (await attempt()) ?? (await attempt());
  if (after === undefined) throw new Error(`call ${callId} is live without a job`);
  telephony.onCommit(false);
  if (after.status === 'canceled' || after.status === 'completed') {
    await makeLineDue(telephony.db, organizationId, callId);
    telephony.linesDue();
  }
  return after;
}

/** Returns undefined if the call was approved after its job was read: the call now has a job, which is not locked. */
async function cancelLocked(
  tx: Queryable,
  organizationId: string,
  callId: string,
  traceparent: string | undefined,
): Promise<Call | undefined> {
  const job = await lockJobOfCall(tx, organizationId, callId);
  const locked = await lockCall(tx, organizationId, callId);
  if (locked === undefined) throw notFound('call');
  switch (locked.call.status) {
    case 'queued':
      return job === undefined ? undefined : cancelNow(tx, locked.call, locked.now, job, traceparent);
    case 'scheduled':
    case 'needs_review':
      return cancelNow(tx, locked.call, locked.now, job, traceparent);
    case 'dialing':
    case 'answered':
      if (job === undefined) return undefined;
      // No worker has the job: the call ends here, and a line that still rings is hung up afterwards.
      if (job.state === 'adoptable' && locked.call.status === 'answered')
        return endLost(tx, { jobId: job.jobId, ...locked }, 'canceled', traceparent);
      if (job.state === 'adoptable') return cancelNow(tx, locked.call, locked.now, job, traceparent);
      await requestCancel(tx, job.jobId);
      if (locked.call.cancelRequestedAt !== null) return locked.call;
      return noteCancel(tx, { ...locked.call, cancelRequestedAt: locked.now }, locked.now);
    case 'ended':
    case 'completed':
    case 'failed':
    case 'canceled':
    case 'policy_blocked':
      throw conflict(`the call is ${locked.call.status}`);
  }
}

/** The event follows when the call ends; until then the record shows that cancellation was requested. */
async function noteCancel(tx: Queryable, call: Call, at: Date): Promise<Call> {
  await writeCall(tx, call.organizationId, { ...call, updatedAt: at });
  return { ...call, updatedAt: at };
}

/** Cancels a call that was not dialed, and its job; the caller has locked both. */
export async function cancelNow(
  tx: Queryable,
  call: Call,
  now: Date,
  job: LockedJob | undefined,
  traceparent: string | undefined,
): Promise<Call> {
  const steps = advanceThrough(call, [['cancel', { at: now, endedReason: 'canceled' }]]);
  const after = await recordSteps(tx, call, steps, now, traceparent);
  if (call.status === 'scheduled') await deleteScheduled(tx, call.organizationId, call.callId);
  if (job !== undefined) {
    // A worker may have leased the job without requesting the permit: reports from it are stale from now on.
    await finishJob(tx, job.jobId, true);
    if (job.state === 'queued') await countWaiting(tx, new Map([[call.organizationId, -1]]));
  }
  return after;
}
