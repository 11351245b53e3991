/** The part of all leases that may be reaped in a minute with the calls that they hold. */
const share = 0.1;

export interface ReapCount {
  /** Leases there are now. */
  readonly leases: number;
  /** Leases that were reaped in the last minute, and their calls ended. */
  readonly reaped: number;
  /** What may be reaped in a minute however few leases there are: a small installation loses its dead workers too. */
  readonly atLeast: number;
}

/**
 * How many more calls may be ended now. Those that were reaped belong to what there was at the beginning of the minute, so that the bound does not
 * shrink with each of them.
 */
export function reapsLeft({ leases, reaped, atLeast }: ReapCount): number {
  const most = Math.max(atLeast, Math.floor((leases + reaped) * share));
  return Math.max(0, most - reaped);
}
