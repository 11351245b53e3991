import type { CallProblem, CapsRule, EndedReason } from '@parley/contract';
import { newId, type OutgoingContext, type Queryable } from '@parley/runtime';
import {
  lockCall,
  type Call,
  advanceThrough,
  type CallTrigger,
  recordSteps,
  insertJob,
  removeJob,
  lockQueueAndState,
  lockState,
  markReserved,
  pinCall,
  takeRoom,
  loadOrCreateState,
} from '../../books';
import { endSettlementLease, type SettlementLease } from './scheduled-calls.sql';
import { admitBatch, type AdmissionRefusal } from './admit-batch.rules';
import type { Telephony } from '../../telephony';

type Needs = Pick<Telephony, 'db' | 'settings' | 'openOrganization' | 'onCommit'>;

export interface Failure {
  readonly endedReason: EndedReason;
  readonly reasonDetail?: string;
  readonly problems: readonly Omit<CallProblem, 'at'>[];
}

/** A scheduled call that is ready for the queue: its configuration is pinned, and its policy decision is made. */
export interface Pinned {
  readonly call: Call;
  readonly suppressed: boolean;
  readonly holdMicros: number;
  readonly caps: CapsRule | undefined;
  /** Whether the call may wait for capacity if the policy's caps refuse it. */
  readonly mayWait: boolean;
}

/** There is no capacity for a scheduled call that is due. */
export class NoRoom extends Error {
  readonly mayWait: boolean;
  /** The limit is the agent's: calls of the organization's other agents may still have capacity. */
  readonly ofAgent: boolean;

  constructor(
    /** The failure to record once the call has waited too long. */
    readonly failure: Failure,
    { mayWait, ofAgent = false }: { readonly mayWait: boolean; readonly ofAgent?: boolean },
  ) {
    super(`no capacity for a scheduled call: ${failure.endedReason}`);
    this.mayWait = mayWait;
    this.ofAgent = ofAgent;
  }
}

const reasonOf: Readonly<Record<AdmissionRefusal['reason'], EndedReason>> = {
  suppressed: 'suppressed',
  daily_spend: 'spend_cap',
  calls_per_minute: 'capacity_unavailable',
  calls_per_hour: 'capacity_unavailable',
  live_calls: 'live_call_limit',
  queue_full: 'capacity_unavailable',
  bookings_full: 'capacity_unavailable',
  balance: 'insufficient_balance',
};

const triggerOf = { queued: 'come_due', policy_blocked: 'block', needs_review: 'hold_for_review' } as const;

/** Fails a scheduled call without dialing it, only once even if other processes settle it concurrently. Does nothing if the lease has expired. */
export async function failScheduled(
  telephony: Needs,
  lease: SettlementLease,
  { endedReason, reasonDetail, problems }: Failure,
  { traceparent }: OutgoingContext,
): Promise<void> {
  await telephony.db.transaction(async (tx) => {
    const locked = await lockCall(tx, lease.organizationId, lease.callId);
    if (locked?.call.status !== 'scheduled' || !(await endSettlementLease(tx, lease))) return;
    const { call, now: at } = locked;
    const found = problems.map((problem) => ({ ...problem, at: at.toISOString() }));
    const facts = { at, endedReason, problems: found, ...(reasonDetail !== undefined && { reasonDetail }) };
    await recordSteps(tx, call, advanceThrough(call, [['fail', facts]]), at, traceparent);
  });
  telephony.onCommit(false);
}

/**
 * Queues a scheduled call under the current caps and wallet, blocks it, or holds it for a review. Takes effect only once even if other processes settle the
 * call concurrently; does nothing if the lease is over.
 * @throws NoRoom, and nothing is written
 */
export async function queueScheduled(
  telephony: Needs,
  lease: SettlementLease,
  pinned: Pinned,
  context: OutgoingContext,
): Promise<void> {
  const { organizationId, callId } = lease;
  await loadOrCreateState(telephony, organizationId);
  const queued = await telephony.db.transaction(async (tx) => {
    const locked = await lockCall(tx, organizationId, callId);
    if (locked?.call.status !== 'scheduled' || !(await endSettlementLease(tx, lease))) return false;
    const status = await settle(tx, telephony, pinned, context.traceparent);
    return status === 'queued';
  });
  telephony.onCommit(queued);
}

async function settle(
  tx: Queryable,
  { settings }: Pick<Telephony, 'settings'>,
  { call, suppressed, holdMicros, caps, mayWait }: Pinned,
  traceparent: string | undefined,
): Promise<Call['status']> {
  const { organizationId, callId, agentId } = call;
  const jobId = newId('job');
  const mayGo = call.policy.verdict === 'allowed';
  // Lock order: inserting a job locks the queue, which must precede the counter row. The call is pinned first because the job copies fields of its call.
  await pinCall(tx, organizationId, call);
  if (mayGo) await insertJob(tx, organizationId, { jobId, callId, agentId, scheduledAt: null });
  const locked = mayGo ? await lockState(tx, organizationId) : await lockQueueAndState(tx, organizationId);
  if (locked === undefined) throw new Error('the counter row was not opened');
  const { state, now: at } = locked;
  const admission = admitBatch(state, [{ suppressed, holdMicros, policy: call.policy, caps }], at, settings.queueCap);
  const [decision] = admission.decisions;
  if (decision === undefined) throw new Error('a scheduled call was not decided');
  if (!decision.admitted) throw noRoomOf(decision.refusal);
  if (decision.capped && mayWait) throw noRoomOf({ reason: 'live_calls' });
  const { status, policy } = decision;
  if (mayGo && status !== 'queued') await removeJob(tx, organizationId, jobId);
  const checked = { ...call, policy, holdMicros: decision.holdMicros };
  if (policy !== call.policy) await pinCall(tx, organizationId, checked);
  const held = { ...checked, holdDay: checked.holdMicros === null ? null : admission.change.spendDay };
  const trigger: CallTrigger = triggerOf[status as keyof typeof triggerOf];
  await recordSteps(tx, held, advanceThrough(held, [[trigger, { at }]]), at, traceparent);
  if (status !== 'queued') return status;
  await takeRoom(tx, organizationId, admission.change);
  await markReserved(tx, organizationId, callId);
  return status;
}

function noRoomOf({ reason }: AdmissionRefusal): NoRoom {
  const endedReason = reasonOf[reason];
  const detail = endedReason === 'capacity_unavailable' ? { reasonDetail: reason } : {};
  const mayWait = reason !== 'suppressed' && reason !== 'balance';
  return new NoRoom({ endedReason, problems: [], ...detail }, { mayWait });
}
