/**
 * Opens when this process could have taken heartbeats for one whole lease without a break: only then does a silent
 * worker prove anything. A failed probe of the database, or a gap between two probes (a process that was stopped, a
 * stalled event loop), starts the wait again.
 */
export class ReaperGate {
  private since: number | undefined;
  private last: number | undefined;

  /** `leaseMs`: the wait. `longestGapMs`: how far apart two probes may lie. */
  constructor(
    private readonly leaseMs: number,
    private readonly longestGapMs: number,
  ) {}

  /** A probe succeeded at `nowMs` of a monotonic clock. Answers whether the gate is open. */
  succeeded(nowMs: number): boolean {
    if (this.since === undefined || this.last === undefined || nowMs - this.last > this.longestGapMs)
      this.since = nowMs;
    this.last = nowMs;
    return nowMs - this.since >= this.leaseMs;
  }

  failed(): void {
    this.since = undefined;
    this.last = undefined;
  }
}
