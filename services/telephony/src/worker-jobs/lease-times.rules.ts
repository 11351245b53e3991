/** What follows from the length of a lease. */
export interface LeaseRhythm {
  readonly leaseMs: number;
  /** A pause in which no worker at all was heard, after which nothing is concluded from the silence of one of them. */
  readonly silenceMs: number;
  /** How often leases are looked at, and how often at most it is noted that a worker was heard. */
  readonly everyMs: number;
  /** The longest wait of a claim: who waits for work is heard as often as who has some. */
  readonly claimWaitMs: number;
}

/** Below the longest deadline of a call between services (30 s), so that an answer arrives before it. */
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
