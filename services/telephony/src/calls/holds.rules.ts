import { AgentTurnTaking, defaultOf, type CallTuning } from '@parley/contract';

/** The cost in micro-USD of a duration at a price per minute, rounded up to the micro-unit. */
export const costOf = (seconds: number, microsPerMinute: number): number => Math.ceil((seconds * microsPerMinute) / 60);

/** The maximum cost of an agent's call: its maximum duration (docs/reference/tuning.md, max_call_seconds) at the agent's price. */
export function holdOf(tuning: Pick<CallTuning, 'turn_taking'>, microsPerMinute: number): number {
  return costOf(
    tuning.turn_taking?.max_call_seconds ?? defaultOf(AgentTurnTaking, 'max_call_seconds'),
    microsPerMinute,
  );
}

/** The whole seconds that a call may last within this cost; undefined: it costs nothing. At least one, because every call is answered. */
export const paidSeconds = (mostMicros: number, microsPerMinute: number): number | undefined =>
  microsPerMinute <= 0 ? undefined : Math.max(1, Math.floor((mostMicros * 60) / microsPerMinute));

/**
 * What a call is charged: what it cost, and never more than was held for it. A call that was torn down late (its worker was
 * lost) costs what it could cost at most. Null: nothing was held.
 */
export const chargeOf = (costMicros: number, holdMicros: number | null): number =>
  holdMicros === null ? costMicros : Math.min(costMicros, holdMicros);
