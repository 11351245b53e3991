/** What a look at the leases found at one moment. */
export interface ReaperProbe {
  /** This process's monotonic clock. */
  readonly atMs: number;
  /** The database's clock. */
  readonly databaseMs: number;
  /** Whether this process knows who is suspended and which keys are revoked. */
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

  /** `leaseMs`: the wait. `longestGapMs`: how far apart two probes may lie, and how far the clocks may drift between them. */
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
