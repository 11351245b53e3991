import { newId, type Queryable } from '@parley/runtime';
import { appendCallEvents } from '../db/call-events';
import { writeCall } from '../db/calls';
import type { Call } from '../domain/call';
import { callEvent } from '../domain/call-event';
import type { CallStep } from '../domain/call-transitions';

/**
 * Writes the steps of a call: its row, and one event a step in its log and in the outbox. The caller holds the call's lock.
 * Answers the call as it stands then.
 */
export async function recordSteps(
  tx: Queryable,
  before: Call,
  steps: readonly CallStep[],
  at: Date,
  traceparent?: string,
): Promise<Call> {
  const after = steps.at(-1)?.call;
  if (after === undefined) return before;
  await writeCall(tx, before.organizationId, after);
  const events = steps.map((step) => callEvent(newId('evt'), step, at));
  await appendCallEvents(tx, before.organizationId, before.callId, events, traceparent);
  return after;
}
