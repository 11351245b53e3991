const windowMs = 1_000;

/** Limits how many attempts start within any second. */
export class SendRate {
  /** Start times of the attempts within the last second, oldest first; recorded only if there is a limit. */
  private begun: number[] = [];

  /** @param limit maximum of attempts within any second; null: unlimited */
  constructor(public limit: number | null) {}

  /** How many attempts may start now. */
  room(nowMs: number): number {
    if (this.limit === null) return Infinity;
    this.forget(nowMs);
    return Math.max(this.limit - this.begun.length, 0);
  }

  began(nowMs: number): void {
    if (this.limit !== null) this.begun.push(nowMs);
  }

  /** Whether no attempt was started within the last second: then another replica can take the queue without knowing this state. */
  rested(nowMs: number): boolean {
    this.forget(nowMs);
    return this.begun.length === 0;
  }

  private forget(nowMs: number): void {
    const stale = this.begun.findIndex((at) => at > nowMs - windowMs);
    this.begun = stale === -1 ? [] : this.begun.slice(stale);
  }
}
