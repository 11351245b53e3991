/** Times derived from the duration of a lease. */
export interface LeaseRhythm {
  readonly leaseMs: number;
  /** If no worker at all sent a request for this long, a single silent worker is not considered lost: the platform itself may have been unreachable. */
  readonly silenceMs: number;
  /** How often leases are checked, and the minimum interval at which requests of workers are recorded. */
  readonly everyMs: number;
  /** The maximum wait of a claim; it ensures that waiting workers send requests as often as busy ones. */
  readonly claimWaitMs: number;
}

/** Below the maximum deadline of a call between services (30 s), so that the response arrives in time. */
const longestWaitMs = 25_000;

/**
 * Every worker sends a request at least every third of a lease. Half a lease of silence is therefore more than one missed heartbeat. It is also detected before
 * leases renewed just before the silence expire, because those last at least two thirds of a lease longer.
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
