import { conflict, notFound } from '@parley/errors';
import { isId, type OutgoingContext, type Queryable } from '@parley/runtime';
import { makeLineDue } from '../lines';
import { lockCall, writeCall, type Call, advanceThrough, organizationOfCall, recordSteps } from '../calls';
import { finishJob, lockJobOfCall, requestCancel, type LockedJob, countWaiting } from '../queue';
import { deleteScheduled } from './scheduled-calls.sql';
import { endLost } from '../worker-jobs';
import type { Telephony } from '../telephony';

/**
 * Cancels a call. One that was not dialled is canceled at once and its job is gone. While it is dialled or talked, the
 * worker is asked to hang up, and the call ends when it did. ConflictError when there is nothing left to cancel.
 */
export async function cancelCall(
  telephony: Telephony,
  named: string,
  callId: string,
  context: OutgoingContext,
): Promise<Call> {
  if (!isId('call', callId)) throw notFound('call');
  const organizationId = await organizationOfCall(telephony.db, named, callId);
  if (organizationId === '') throw notFound('call');
  const attempt = () => telephony.db.transaction((tx) => cancelLocked(tx, organizationId, callId, context.traceparent));
  // On the second try its job exists, or a worker has it.
  const after = (await attempt()) ?? (await attempt());
  if (after === undefined) throw new Error(`call ${callId} is live without a job`);
  telephony.onCommit(false);
  if (after.status === 'canceled' || after.status === 'completed') {
    await makeLineDue(telephony.db, organizationId, callId);
    telephony.linesDue();
  }
  return after;
}

/** Undefined: the call was approved after its job was read, so that it now has a job that is not locked. */
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
      // No worker has it: a line that still rings is hung up afterwards.
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

/** An event reports its end when it comes; the record shows the request to cancel from now on. */
async function noteCancel(tx: Queryable, call: Call, at: Date): Promise<Call> {
  await writeCall(tx, call.organizationId, { ...call, updatedAt: at });
  return { ...call, updatedAt: at };
}

/** Cancels a call that was not dialled, and its job; the caller has locked both. */
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
    // A worker may have leased the job without requesting the permit: its further reports are stale.
    await finishJob(tx, job.jobId, true);
    if (job.state === 'queued') await countWaiting(tx, new Map([[call.organizationId, -1]]));
  }
  return after;
}
