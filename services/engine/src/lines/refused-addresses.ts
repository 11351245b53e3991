const windowMs = 60_000;
/** Maximum number of addresses that are counted per minute, which bounds the memory. Further ones are not counted. */
const mostAddresses = 10_000;

/**
 * Counts the connections with a refused token by address and minute. An address over the limit is blocked until the minute ends. This prevents guessing of
 * tokens, because each guess causes a request to the platform. Valid tokens are not counted, so that a carrier with few addresses is not limited.
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

  /** Seconds until the address may try again, at least 1; 0 if it is not blocked. */
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
