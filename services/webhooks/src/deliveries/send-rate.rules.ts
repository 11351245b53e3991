const windowMs = 1_000;

/** Holds the attempts that are begun in any second to a limit. */
export class SendRate {
  /** When the attempts of the last second were begun, the oldest first; kept under a limit alone. */
  private begun: number[] = [];

  /** @param limit attempts in any second; null: no limit */
  constructor(public limit: number | null) {}

  /** How many may be begun now. */
  room(nowMs: number): number {
    if (this.limit === null) return Infinity;
    this.forget(nowMs);
    return Math.max(this.limit - this.begun.length, 0);
  }

  began(nowMs: number): void {
    if (this.limit !== null) this.begun.push(nowMs);
  }

  /** Nothing was begun within the last second: a pace that knows nothing of it may follow. */
  rested(nowMs: number): boolean {
    this.forget(nowMs);
    return this.begun.length === 0;
  }

  private forget(nowMs: number): void {
    const stale = this.begun.findIndex((at) => at > nowMs - windowMs);
    this.begun = stale === -1 ? [] : this.begun.slice(stale);
  }
}
