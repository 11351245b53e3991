import { AgentTurnTaking, defaultOf, type CallTuning } from '@parley/contract';

/** The cost in micro-USD of a duration at a price per minute, rounded up. */
export const costOf = (seconds: number, microsPerMinute: number): number => Math.ceil((seconds * microsPerMinute) / 60);

/** The maximum cost of an agent's call: its maximum duration (docs/reference/tuning.md, max_call_seconds) at the agent's price. */
export function holdOf(tuning: Pick<CallTuning, 'turn_taking'>, microsPerMinute: number): number {
  return costOf(
    tuning.turn_taking?.max_call_seconds ?? defaultOf(AgentTurnTaking, 'max_call_seconds'),
    microsPerMinute,
  );
}

/** How many whole seconds a call may last within this cost; undefined: it costs nothing. At least one, because every call is answered. */
export const paidSeconds = (mostMicros: number, microsPerMinute: number): number | undefined =>
  microsPerMinute <= 0 ? undefined : Math.max(1, Math.floor((mostMicros * 60) / microsPerMinute));

/**
 * The amount charged for a call: its cost, but at most the amount reserved for it. This limits the charge of a call that was ended late because its worker was
 * lost. Null: nothing was reserved.
 */
export const chargeOf = (costMicros: number, holdMicros: number | null): number =>
  holdMicros === null ? costMicros : Math.min(costMicros, holdMicros);
