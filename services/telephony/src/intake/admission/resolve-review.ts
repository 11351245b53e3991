import type { CallTuning, ReviewResolve } from '@parley/contract';
import { conflict, forbidden, notFound } from '@parley/errors';
import { append } from '@parley/outbox';
import { isId, type OutgoingContext, type Queryable } from '@parley/runtime';
import { auditEvent } from '@parley/service';
import {
  advanceThrough,
  type Call,
  enterQueue,
  holdOf,
  loadOrCreateState,
  lockCall,
  organizationOfCall,
  recordSteps,
  settleEntry,
} from '../../books';
import { isPlacer } from './placers.sql';
import { decide, readSuppression } from '../../policy';
import { admitBatch } from './admit-batch.rules';
import { admissionError } from './admission-error';
import { refusePlacer } from './refuse-placer';
import type { Telephony } from '../../telephony';

/**
 * Resolves a call that waits for a review, only once even with concurrent requests. An approved call is queued under the current caps, wallet and suppression
 * list; a rejected one is canceled.
 * @throws NotFoundError; ForbiddenError for another project than the call's; ConflictError if the call waits for no review, and for the key that placed it;
 * SuspensionError, InsufficientBalanceError, outbound_call_queue_full if there is no capacity for an approved call, which keeps waiting for its review
 */
export async function resolveReview(
  telephony: Pick<Telephony, 'db' | 'settings' | 'openOrganization' | 'onCommit'>,
  named: string,
  callId: string,
  body: () => ReviewResolve,
  context: OutgoingContext,
): Promise<Call> {
  if (!isId('call', callId)) throw notFound('call');
  const organizationId = await organizationOfCall(telephony.db, named, callId);
  if (organizationId === '') throw notFound('call');
  const known = await telephony.db.transaction((tx) => lockCall(tx, organizationId, callId));
  if (known === undefined) throw notFound('call');
  const value = body();
  if ((value.project_id ?? known.call.projectId) !== known.call.projectId) throw forbidden();
  await loadOrCreateState(telephony, organizationId);
  const call = await telephony.db.transaction(async (tx) => {
    const locked = await lockCall(tx, organizationId, callId);
    if (locked === undefined) throw notFound('call');
    if (locked.call.status !== 'needs_review') throw conflict(`the call is ${locked.call.status}`);
    const approved = value.decision === 'approve';
    if (approved) await refusePlacer(context.caller, (keyId) => isPlacer(tx, organizationId, callId, keyId));
    const after = approved
      ? await approve(tx, telephony, locked.call, locked.now, context)
      : await rejectReview(tx, locked.call, locked.now, context);
    const action = approved ? 'call_review.approved' : 'call_review.rejected';
    await append(tx, [auditEvent({ organizationId, action, subject: callId, detail: {} }, locked.now, context)]);
    return after;
  });
  telephony.onCommit(call.status === 'queued');
  return call;
}

/** Cancels a locked call that waits for a review. */
export function rejectReview(
  tx: Queryable,
  call: Call,
  at: Date,
  { traceparent }: Pick<OutgoingContext, 'traceparent'>,
): Promise<Call> {
  const steps = advanceThrough(call, [['reject', { at, endedReason: 'canceled' }]]);
  return recordSteps(tx, call, steps, at, traceparent);
}

async function approve(
  tx: Queryable,
  { settings }: Pick<Telephony, 'settings'>,
  call: Call,
  at: Date,
  { traceparent }: OutgoingContext,
): Promise<Call> {
  const { organizationId } = call;
  const { suppressed, policy } = decide(await readSuppression(tx, organizationId, 'approval', call.to));
  const entry = await enterQueue(tx, call, { due: false, enters: true });
  const { state, now } = entry;
  const holdMicros = holdOf(JSON.parse(call.tuning) as CallTuning, call.costMicrosPerMinute);
  const admission = admitBatch(state, [{ suppressed, holdMicros, policy }], now, settings.queueCap);
  const [decision] = admission.decisions;
  if (decision?.admitted !== true) {
    if (decision === undefined) throw new Error('an approval was not decided');
    throw admissionError(decision.refusal, state.drainPerSecond, settings.queueFullRetrySeconds);
  }
  const held = { ...call, holdMicros, holdDay: admission.change.spendDay };
  return settleEntry(tx, entry, { call: held, trigger: 'approve', at, change: admission.change }, traceparent);
}
