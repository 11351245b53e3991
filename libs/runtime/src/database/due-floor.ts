import type { Clock } from '../clock';

/** How far the floor stays behind the present: every transaction that sets a due time based on its start ends within this. */
const lagMs = 180_000;

/** The minimum interval between two updates. */
const lookEveryMs = 10_000;

/** After this time a poll restarts from the beginning, whatever the floor. */
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

  /** In the form for a statement: a timestamptz. */
  get value(): string {
    return this.at === -Infinity ? '-infinity' : new Date(this.at).toISOString();
  }

  /** Whether the floor should be updated now; the caller must then do it. */
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
   * Processes the result of a read that started at `value`.
   * @param databaseMs the database's time of the read
   * @param firstMs the due time of the first waiting row; null: none waits
   */
  looked(databaseMs: number, firstMs: number | null): void {
    this.at = Math.floor(Math.min(databaseMs - lagMs, firstMs ?? Infinity));
  }
}
