import type { Clock } from '../clock';

/** How far below the present it stays: no transaction that makes something due from its beginning on lasts for as long. */
const lagMs = 180_000;

/** How often it is worth a look. */
const lookEveryMs = 10_000;

/** A poll begins at the beginning again after this long, whatever is believed. */
const againMs = 3_600_000;

/**
 * The time at which a poll of a queue begins, where the queue is an index by the time at which things are due. Entries of what was done stand in it until vacuum
 * removes them, which an old snapshot (a backup) prevents for hours, and a poll that began with the oldest would walk over all of them each time.
 *
 * Whatever makes something due gives it a time of its own transaction or a later one. So what was not due below a time, at a look a while after it, never will be.
 */
export class DueFloor {
  private at = -Infinity;
  private resetAtMs: number;
  private lookedAtMs = -Infinity;

  constructor(private readonly clock: Pick<Clock, 'monotonicMs'>) {
    this.resetAtMs = clock.monotonicMs();
  }

  /** As a statement takes it: a timestamptz. */
  get value(): string {
    return this.at === -Infinity ? '-infinity' : new Date(this.at).toISOString();
  }

  /** Whether the queue is to be looked at again; asked before each look, which has to follow. */
  wantsLook(): boolean {
    const now = this.clock.monotonicMs();
    if (now - this.lookedAtMs < lookEveryMs) return false;
    this.lookedAtMs = now;
    if (now - this.resetAtMs >= againMs) {
      this.resetAtMs = now;
      this.at = -Infinity;
    }
    return true;
  }

  /**
   * Takes what a look saw that began at `value`.
   * @param databaseMs the database's time at the look
   * @param firstMs when the first of what waits is due; null: nothing waits
   */
  looked(databaseMs: number, firstMs: number | null): void {
    this.at = Math.floor(Math.min(databaseMs - lagMs, firstMs ?? Infinity));
  }
}
