import { isReasonDetail, type CallProblem, type CapsRule, type EndedReason, type ReasonDetail } from '@parley/contract';
import type { OutgoingContext, Queryable } from '@parley/runtime';
import {
  type Call,
  type CallTrigger,
  endCall,
  enterQueue,
  loadOrCreateState,
  lockCall,
  settleEntry,
} from '../../books';
import { endSettlementLease, type SettlementLease } from './scheduled-calls.sql';
import { admitBatch, type AdmissionRefusal } from './admit-batch.rules';
import type { Telephony } from '../../telephony';

type Needs = Pick<Telephony, 'db' | 'settings' | 'openOrganization' | 'onCommit'>;

export interface Failure {
  readonly endedReason: EndedReason;
  readonly reasonDetail?: ReasonDetail;
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
  scheduled_full: 'capacity_unavailable',
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
    const { now: at } = locked;
    const found = problems.map((problem) => ({ ...problem, at: at.toISOString() }));
    const facts = { at, endedReason, problems: found, ...(reasonDetail !== undefined && { reasonDetail }) };
    await endCall(tx, { ...locked, job: undefined }, [['fail', facts]], traceparent);
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
  const entry = await enterQueue(tx, call, { due: true, enters: call.policy.verdict === 'allowed' });
  const { state, now: at } = entry;
  const admission = admitBatch(state, [{ suppressed, holdMicros, policy: call.policy, caps }], at, settings.queueCap);
  const [decision] = admission.decisions;
  if (decision === undefined) throw new Error('a scheduled call was not decided');
  if (!decision.admitted) throw noRoomOf(decision.refusal);
  if (decision.capped && mayWait) throw noRoomOf({ reason: 'live_calls' });
  const { status, policy } = decision;
  const { spendDay } = admission.change;
  const { holdMicros: held } = decision;
  const settled = {
    call: { ...call, policy, holdMicros: held, holdDay: held === null ? null : spendDay },
    trigger: triggerOf[status as keyof typeof triggerOf] satisfies CallTrigger,
    at,
    change: status === 'queued' ? admission.change : undefined,
  };
  await settleEntry(tx, entry, settled, traceparent);
  return status;
}

function noRoomOf({ reason }: AdmissionRefusal): NoRoom {
  const endedReason = reasonOf[reason];
  const detail = isReasonDetail(reason) ? { reasonDetail: reason } : {};
  const mayWait = reason !== 'suppressed' && reason !== 'balance';
  return new NoRoom({ endedReason, problems: [], ...detail }, { mayWait });
}
