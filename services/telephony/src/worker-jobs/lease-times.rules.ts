/** Times derived from the duration of a lease. */
export interface LeaseRhythm {
  readonly leaseMs: number;
  /** If no worker at all was heard for this long, a single silent worker is not considered lost: the platform itself may have been unreachable. */
  readonly silenceMs: number;
  /** How often leases are checked, and the minimum interval at which it is recorded that a worker was heard. */
  readonly everyMs: number;
  /** The maximum wait of a claim; it ensures that waiting workers are heard as often as busy ones. */
  readonly claimWaitMs: number;
}

/** Below the maximum deadline of a call between services (30 s), so that the response arrives in time. */
const longestWaitMs = 25_000;

/**
 * Workers are heard at least every third of a lease. Half a lease of silence is therefore more than one missed heartbeat. It is also detected before leases
 * renewed just before the silence expire, because those last at least two thirds of a lease longer.
 */
export function leaseTimesOf(leaseSeconds: number): LeaseRhythm {
  const leaseMs = leaseSeconds * 1000;
  return {
    leaseMs,
    silenceMs: leaseMs / 2,
    everyMs: Math.min(1000, leaseMs / 4),
    claimWaitMs: Math.min(longestWaitMs, leaseMs / 3),
  };
}
