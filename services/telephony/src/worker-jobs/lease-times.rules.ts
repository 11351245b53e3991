/** Times derived from the length of a lease. */
export interface LeaseRhythm {
  readonly leaseMs: number;
  /** After a pause of this length without any worker, the silence of a single worker proves nothing. */
  readonly silenceMs: number;
  /** How often leases are checked, and at most how often it is recorded that a worker was heard. */
  readonly everyMs: number;
  /** The maximum wait of a claim, so that waiting workers are heard as often as busy ones. */
  readonly claimWaitMs: number;
}

/** Below the maximum deadline of a call between services (30 s), so that the response arrives before it. */
const longestWaitMs = 25_000;

/**
 * Workers are heard each third of a lease. A silence of half a lease is more than one missed heartbeat, and ends before the first lease that was renewed
 * before it runs out, which is two thirds of a lease later.
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
