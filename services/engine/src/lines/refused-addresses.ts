const windowMs = 60_000;
/** So many addresses are remembered in a minute; beyond that further ones are not counted, so that no client fills the memory. */
const mostAddresses = 10_000;

/**
 * Counts, by address, the connections of the present minute whose token was refused. One that exceeds the limit is blocked until the minute ends: tokens
 * are not to be guessed, and each try asks the platform. Connections with good tokens count nothing, so that a carrier with few addresses is not limited.
 */
export class RefusedAddresses {
  private readonly counts = new Map<string, number>();
  private startedMs: number;

  constructor(
    private readonly limit: number,
    private readonly nowMs: () => number,
  ) {
    this.startedMs = nowMs();
  }

  note(address: string): void {
    this.turn();
    const count = this.counts.get(address);
    if (count === undefined && this.counts.size >= mostAddresses) return;
    this.counts.set(address, (count ?? 0) + 1);
  }

  /** Seconds until the address may try again, at least 1; 0: now. */
  blockedSeconds(address: string): number {
    this.turn();
    if ((this.counts.get(address) ?? 0) < this.limit) return 0;
    return Math.max(1, Math.ceil((this.startedMs + windowMs - this.nowMs()) / 1000));
  }

  private turn(): void {
    const now = this.nowMs();
    if (now < this.startedMs + windowMs) return;
    this.counts.clear();
    this.startedMs = now;
  }
}
