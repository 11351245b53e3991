/** The state of the leases at one moment. */
export interface ReaperProbe {
  /** This process's monotonic clock. */
  readonly atMs: number;
  /** The database's clock. */
  readonly databaseMs: number;
  /** Whether this process has a current list of suspensions and revoked keys. */
  readonly trusted: boolean;
}

/**
 * Opens when, for one whole lease without a break, this process and its database worked and the control state was trusted: only then does a
 * silent worker prove anything. A failed probe, a gap between two probes (a process that was stopped, a stalled event loop or database), a clock of the
 * database that moved by more or less than ours, and a control state that is not trusted start the wait again.
 */
export class ReaperGate {
  private since: number | undefined;
  private last: ReaperProbe | undefined;

  /** `leaseMs`: the waiting time. `longestGapMs`: the maximum interval between two probes, and the maximum drift of the clocks between them. */
  constructor(
    private readonly leaseMs: number,
    private readonly longestGapMs: number,
  ) {}

  /** Returns whether the gate is open. */
  probed(probe: ReaperProbe): boolean {
    if (!probe.trusted) {
      this.failed();
      return false;
    }
    if (this.since === undefined || this.last === undefined || this.broken(this.last, probe)) this.since = probe.atMs;
    this.last = probe;
    return probe.atMs - this.since >= this.leaseMs;
  }

  failed(): void {
    this.since = undefined;
    this.last = undefined;
  }

  private broken(last: ReaperProbe, probe: ReaperProbe): boolean {
    const passedMs = probe.atMs - last.atMs;
    const drift = Math.abs(probe.databaseMs - last.databaseMs - passedMs);
    return passedMs > this.longestGapMs || drift > this.longestGapMs;
  }
}

/** The share of all leases that may be reaped per minute together with their calls. */
const share = 0.1;

export interface ReapCount {
  /** Current number of leases. */
  readonly leases: number;
  /** Leases reaped, with their calls ended, in the last minute. */
  readonly reaped: number;
  /** How many may be reaped per minute regardless of the number of leases, so that a small installation can lose its dead workers too. */
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
