import { conflict, notFound } from '@parley/errors';
import { isId, type OutgoingContext, type Queryable } from '@parley/runtime';
import { tendLine } from '../../lines';
import {
  type Call,
  cancelLater,
  endCall,
  type HeldJob,
  lockCallAndJob,
  type LockedJob,
  organizationOfCall,
} from '../../books';
import { deleteScheduled } from './scheduled-calls.sql';
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
  if (after.status === 'canceled' || after.status === 'completed') await tendLine(telephony, organizationId, callId);
  return after;
}

/** Returns undefined if the call was approved after its job was read: the call now has a job, which is not locked. */
async function cancelLocked(
  tx: Queryable,
  organizationId: string,
  callId: string,
  traceparent: string | undefined,
): Promise<Call | undefined> {
  const held = await lockCallAndJob(tx, organizationId, callId);
  if (held === undefined) throw notFound('call');
  const { job, call, now: at } = held;
  switch (call.status) {
    case 'queued':
      return job === undefined ? undefined : cancelNow(tx, held, traceparent);
    case 'scheduled':
    case 'needs_review':
      return cancelNow(tx, held, traceparent);
    case 'dialing':
    case 'answered': {
      if (job === undefined) return undefined;
      if (job.state !== 'adoptable') return cancelLater(tx, { ...held, job });
      // No worker has the job: the call ends here, and a line that still rings is hung up afterwards.
      if (call.status === 'dialing') return cancelNow(tx, held, traceparent);
      const moves = [
        ['end', { at, endedReason: 'canceled' }],
        ['complete', { at }],
      ] as const;
      return endCall(tx, held, moves, traceparent);
    }
    case 'ended':
    case 'completed':
    case 'failed':
    case 'canceled':
    case 'policy_blocked':
      throw conflict(`the call is ${call.status}`);
  }
}

/** Cancels a call that was not dialed, and its job; the caller has locked both. Reports of a worker that has leased the job are stale from now on. */
export async function cancelNow(
  tx: Queryable,
  held: HeldJob<LockedJob | undefined>,
  traceparent: string | undefined,
): Promise<Call> {
  const { call, now } = held;
  if (call.status === 'scheduled') await deleteScheduled(tx, call.organizationId, call.callId);
  return endCall(tx, held, [['cancel', { at: now, endedReason: 'canceled' }]], traceparent);
}
