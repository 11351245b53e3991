import { conflict, notFound } from '@parley/errors';
import { isId, type OutgoingContext, type Queryable } from '@parley/runtime';
import { lockCall } from '../db/calls';
import { finishJob, lockJobOfCall, requestCancel, type LockedJob } from '../db/jobs/leases';
import { countWaiting } from '../db/jobs/waiting';
import type { Call } from '../domain/call';
import { advanceThrough } from '../domain/call-transitions';
import { organizationOfCall } from './owner';
import { recordSteps } from './record-steps';
import type { Telephony } from './telephony';

/**
 * Cancels a call. One that was not dialled is canceled at once and its job is gone. While it is dialled or talked, the
 * worker is told to hang up, and the call ends when it did. ConflictError when there is nothing left to cancel.
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
  const after = await telephony.db.transaction(async (tx) => {
    const job = await lockJobOfCall(tx, organizationId, callId);
    const locked = await lockCall(tx, organizationId, callId);
    if (locked === undefined) throw notFound('call');
    switch (locked.call.status) {
      case 'queued':
      case 'needs_review':
        return cancelNow(tx, locked.call, locked.now, job, context.traceparent);
      case 'dialing':
      case 'answered':
        if (job !== undefined) await requestCancel(tx, job.jobId);
        return locked.call;
      case 'ended':
      case 'completed':
      case 'failed':
      case 'canceled':
      case 'policy_blocked':
        throw conflict(`the call is ${locked.call.status}`);
    }
  });
  telephony.committed(false);
  return after;
}

/** Cancels a call that was not dialled, with its job; the caller holds both. */
export async function cancelNow(
  tx: Queryable,
  call: Call,
  now: Date,
  job: LockedJob | undefined,
  traceparent: string | undefined,
): Promise<Call> {
  const steps = advanceThrough(call, [['cancel', { at: now, endedReason: 'canceled' }]]);
  const after = await recordSteps(tx, call, steps, now, traceparent);
  if (job !== undefined) {
    // A worker may hold the job without having asked for the permit: what it sends from now on is stale.
    await finishJob(tx, job.jobId, true);
    if (job.state === 'queued') await countWaiting(tx, new Map([[call.organizationId, -1]]));
  }
  return after;
}
