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
 * Opens once this process and its database have worked, and the control state was current, for the duration of a lease without interruption. Only then does a
 * missing heartbeat show that a worker is lost. The wait restarts after a failed probe, a gap between two probes (the process, its event loop or the database
 * stalled), a drift between the two clocks, and a control state that is not current.
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

/** The share of all leases that may be reaped per minute if that ends their calls. */
const share = 0.1;

export interface ReapCount {
  /** Current number of leases. */
  readonly leases: number;
  /** Leases reaped in the last minute whose call was ended. */
  readonly reaped: number;
  /** How many may be reaped per minute regardless of the number of leases, so that the dead workers of a small installation are handled too. */
  readonly atLeast: number;
}

/**
 * How many more calls may be ended now. The limit is a share of the leases at the beginning of the minute, that is, including those reaped since; otherwise it
 * would shrink with each reaped lease.
 */
export function reapsLeft({ leases, reaped, atLeast }: ReapCount): number {
  const most = Math.max(atLeast, Math.floor((leases + reaped) * share));
  return Math.max(0, most - reaped);
}
