const windowMs = 1_000;

/** A limit on the attempts started within any second. */
export class SendRate {
  /** Start times of the last second's attempts, oldest first; only recorded if there is a limit. */
  private begun: number[] = [];

  /** @param limit attempts within any second; null: no limit */
  constructor(public limit: number | null) {}

  /** How many may be started now. */
  room(nowMs: number): number {
    if (this.limit === null) return Infinity;
    this.forget(nowMs);
    return Math.max(this.limit - this.begun.length, 0);
  }

  began(nowMs: number): void {
    if (this.limit !== null) this.begun.push(nowMs);
  }

  /** No attempt was started within the last second, so another replica can take over without this state. */
  rested(nowMs: number): boolean {
    this.forget(nowMs);
    return this.begun.length === 0;
  }

  private forget(nowMs: number): void {
    const stale = this.begun.findIndex((at) => at > nowMs - windowMs);
    this.begun = stale === -1 ? [] : this.begun.slice(stale);
  }
}
