const windowMs = 60_000;
/** Maximum remembered addresses per minute; further ones are not counted, which bounds the memory. */
const mostAddresses = 10_000;

/**
 * Counts, by address, the connections of the current minute with a refused token. An address over the limit is blocked until the minute ends: this prevents
 * guessing of tokens, each of which costs a request to the platform. Valid tokens are not counted, so that a carrier with few addresses is not limited.
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

  /** Seconds until the address may retry, at least 1; 0: now. */
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
