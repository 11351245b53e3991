import type { Clock } from '../clock';
import type { Queryable } from './database';

/** How far the floor stays behind the present. Every transaction that derives a due time from its start must end within this time. */
const lagMs = 180_000;

export interface DueFloorOptions {
  /** The minimum milliseconds between two updates of the floor; default 10 000. */
  readonly lookEveryMs?: number;
  /** How far `near` stays behind the present, in milliseconds; default 180 000, as `value`. */
  readonly nearMs?: number;
}

/** After this time a scan starts from the beginning again, whatever the floor. */
const againMs = 3_600_000;

/**
 * The time from which a queue is scanned, if the queue is an index on the time at which rows are due. The reason is that index entries of completed rows remain
 * until vacuum removes them, which an old snapshot (such as a backup) can prevent for hours; a scan that started with the oldest entry would pass all of them
 * each time.
 * This is correct only if no transaction commits a row that has already been due for longer than `lagMs`. Therefore, if no waiting row is due before a time
 * that is at least `lagMs` ago, no such row can appear later.
 *
 * Reads that are repeated many times a second can start at `near` instead, which is much closer to the present. They miss a row that was committed later than
 * `nearMs` after it was due, until the next query for the floor finds that row and lowers `near`.
 */
export class DueFloor {
  private at = -Infinity;
  private nearAt = -Infinity;
  private readonly lookEveryMs: number;
  private readonly nearMs: number;
  private resetAtMs: number;
  private lookedAtMs = -Infinity;

  constructor(
    private readonly clock: Pick<Clock, 'monotonicMs'>,
    { lookEveryMs = 10_000, nearMs = lagMs }: DueFloorOptions = {},
  ) {
    this.lookEveryMs = lookEveryMs;
    this.nearMs = nearMs;
    this.resetAtMs = clock.monotonicMs();
  }

  /** The floor as text of a timestamptz, for a statement. */
  get value(): string {
    return textOf(this.at);
  }

  /** A floor for frequent reads, never below `value`, as text of a timestamptz. */
  get near(): string {
    return textOf(this.nearAt);
  }

  /**
   * Raises `near` after a read that started there.
   * @param databaseMs the database's time of the read
   * @param firstMs the due time of the first row that still waits; null: the read found no waiting row
   */
  raise(databaseMs: number, firstMs: number | null): void {
    this.nearAt = Math.max(this.nearAt, this.nearOf(databaseMs, firstMs));
  }

  /** Sets `near` to `value` until the next query for the floor: a row below it is known to wait. */
  lower(): void {
    this.nearAt = this.at;
  }

  /** Whether the floor should be updated now; if so, the caller must do it. */
  wantsLook(): boolean {
    const now = this.clock.monotonicMs();
    if (now - this.lookedAtMs < this.lookEveryMs) return false;
    this.lookedAtMs = now;
    if (now - this.resetAtMs >= againMs) {
      this.resetAtMs = now;
      this.at = -Infinity;
      this.nearAt = -Infinity;
    }
    return true;
  }

  /**
   * Processes the result of a query that scanned from `value`.
   * @param databaseMs the database's time of the query
   * @param firstMs the due time of the first waiting row; null: no row waits
   */
  looked(databaseMs: number, firstMs: number | null): void {
    this.at = Math.floor(Math.min(databaseMs - lagMs, firstMs ?? Infinity));
    this.nearAt = this.nearOf(databaseMs, firstMs);
  }

  /**
   * Updates the floor with a query, if it was not updated for a while.
   * @param name the name of the prepared statement
   * @param first an SQL query for the due time of the first row that waits, due at `$1` or later
   */
  async look(db: Queryable, name: string, first: string): Promise<void> {
    if (!this.wantsLook()) return;
    const { rows } = await db.query<{ readonly database_ms: number; readonly first_ms: number | null }>({
      name,
      text: `select extract(epoch from clock_timestamp())::float8 * 1000 as database_ms,
               extract(epoch from (${first}))::float8 * 1000 as first_ms`,
      values: [this.value],
    });
    if (rows[0] !== undefined) this.looked(rows[0].database_ms, rows[0].first_ms);
  }

  private nearOf(databaseMs: number, firstMs: number | null): number {
    return Math.floor(Math.min(databaseMs - this.nearMs, firstMs ?? Infinity));
  }
}

const textOf = (ms: number): string => (ms === -Infinity ? '-infinity' : new Date(ms).toISOString());
