import { newId, type Queryable } from '@parley/runtime';
import { countEnd } from '../analytics/count-call';
import { appendCallEvents } from './call-events.sql';
import { writeCall } from './calls.sql';
import type { Call } from './call.rules';
import { settleCall, type Settlement } from './settlements.sql';
import { chargeOf } from './holds.rules';
import { callEvent } from './call-event.rules';
import type { CallStep } from './call-transitions.rules';

/** The settlement of a call that is over and still has a reservation; undefined for other calls. */
function settlementOf({ callId, status, costMicros, holdMicros, holdDay }: Call): Settlement | undefined {
  const over = status === 'completed' || status === 'failed' || status === 'canceled';
  if (!over || holdMicros === null || holdDay === null) return undefined;
  const chargeMicros = status === 'completed' ? chargeOf(costMicros, holdMicros) : 0;
  return { entryId: newId('txn'), callId, holdMicros, holdDay, chargeMicros };
}

/**
 * Writes the steps of a call: its row (with the settlement, once the call is over), and the event of each step in the call's log and in the outbox. The caller
 * has locked the call. Returns the updated call.
 */
export async function recordSteps(
  tx: Queryable,
  before: Call,
  steps: readonly CallStep[],
  at: Date,
  traceparent?: string,
): Promise<Call> {
  const last = steps.at(-1)?.call;
  if (last === undefined) return before;
  const settlement = settlementOf(last);
  const after = settlement === undefined ? last : { ...last, holdMicros: null, holdDay: null };
  await writeCall(tx, before.organizationId, after);
  const events = steps.flatMap(({ call, event }) =>
    event === null ? [] : [callEvent(newId('evt'), { call, event }, at)],
  );
  await appendCallEvents(tx, before.organizationId, before.callId, events, traceparent);
  await countEnd(tx, before, after, at);
  // The counter row is locked last, so that it stays locked only briefly.
  if (settlement !== undefined) await settleCall(tx, before.organizationId, settlement);
  return after;
}
