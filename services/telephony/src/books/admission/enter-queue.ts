import { newId, type Queryable } from '@parley/runtime';
import type { Call } from '../calls/call.rules';
import { advanceThrough, type CallTrigger } from '../calls/call-transitions.rules';
import { pinCall } from '../calls/calls.sql';
import { recordSteps } from '../calls/record-steps';
import type { StateChange } from '../organizations/organization-state.rules';
import { lockQueueAndState, lockState, type LockedState } from '../organizations/organization-state.sql';
import { insertJob, removeJob } from '../queue/insert-job.cross-tenant.sql';
import { reserve } from './start-call';

/** Locks an organization's counter row, and before it its queue if jobs may be inserted. Undefined if the row does not exist yet. */
export const lockCounters = (tx: Queryable, organizationId: string, queue = false): Promise<LockedState | undefined> =>
  queue ? lockQueueAndState(tx, organizationId) : lockState(tx, organizationId);

/** A call that may enter the queue, with the locked counters on which this is decided. */
export interface QueueEntry extends LockedState {
  readonly call: Call;
  /** Its job, which waits already; undefined: the call does not enter the queue. */
  readonly jobId: string | undefined;
}

/**
 * Prepares the entry of a stored call into the queue. Lock order: inserting a job locks the queue, which must precede the counter row.
 * @param due a scheduled call that is due is pinned to its configuration first, because its job copies fields of its call
 */
export async function enterQueue(
  tx: Queryable,
  call: Call,
  { due, enters }: { readonly due: boolean; readonly enters: boolean },
): Promise<QueueEntry> {
  const { organizationId, callId, agentId } = call;
  if (due) await pinCall(tx, organizationId, call);
  const jobId = enters ? newId('job') : undefined;
  if (jobId !== undefined) {
    const scheduledAt = due ? null : call.scheduledAt;
    await insertJob(tx, organizationId, { jobId, callId, agentId, scheduledAt });
  }
  const locked = await lockCounters(tx, organizationId, !enters);
  if (locked === undefined) throw new Error('the counter row was not opened');
  return { ...locked, call, jobId };
}

/** What was decided of an entry. */
export interface SettledEntry {
  /** The call with its reservation and its policy decision. */
  readonly call: Call;
  readonly trigger: CallTrigger;
  readonly at: Date;
  /** What it reserves; undefined: it does not enter the queue. */
  readonly change: StateChange | undefined;
}

/** Writes the decision on an entry: the call moves, and reserves its room if it enters the queue. */
export async function settleEntry(
  tx: Queryable,
  entry: QueueEntry,
  { call, trigger, at, change }: SettledEntry,
  traceparent: string | undefined,
): Promise<Call> {
  const { organizationId } = call;
  if (change === undefined && entry.jobId !== undefined) await removeJob(tx, organizationId, entry.jobId);
  if (call.policy !== entry.call.policy) await pinCall(tx, organizationId, call);
  const after = await recordSteps(tx, call, advanceThrough(call, [[trigger, { at }]]), at, traceparent);
  if (change !== undefined) await reserve(tx, call, change);
  return after;
}
