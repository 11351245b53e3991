/** The state of transactions as seen by a pass. */
export interface Transactions {
  /** Every transaction below this has ended, and its rows are visible. */
  readonly xmin: bigint;
  /** This transaction id has not been assigned yet. */
  readonly xmax: bigint;
}

/** The longest time between the assignment of a row's position and of its transaction's id. */
const onItsWayMs = 1_000;

/** After this time the whole table is read again, whatever is considered settled. */
const againMs = 3_600_000;

/**
 * The position up to which every event is published for good. What waits is read from there: entries of events that were published stand
 * in the index until vacuum removes them, which an old snapshot (a backup) prevents for hours, and a pass that began with the oldest
 * would walk over all of them each time.
 *
 * A position is given before its row is committed, so that one may appear below others that were published long before. A position is settled
 * when every transaction that could still bring one below it has ended: those that had begun by the time it was seen, and a second later.
 */
export class SettledPosition {
  private settled = 0;
  private resetAt: number;
  private candidate: { position: number; seenAt: number; xmax?: bigint } | undefined;

  constructor(private readonly now: () => number = () => performance.now()) {
    this.resetAt = now();
  }

  /** No events can appear at or below this position any more. */
  get value(): number {
    return this.settled;
  }

  /**
   * Processes the result of a pass.
   * @param transactions of a moment before the events were read
   * @param positions of the waiting events that were read, ascending
   */
  passed({ xmin, xmax }: Transactions, positions: readonly number[]): void {
    const now = this.now();
    if (now - this.resetAt >= againMs) return this.reset();
    const [lowest] = positions;
    const { candidate } = this;
    if (candidate?.xmax !== undefined && xmin >= candidate.xmax) {
      const published = lowest === undefined ? candidate.position : Math.min(candidate.position, lowest - 1);
      this.settled = Math.max(this.settled, published);
      this.candidate = undefined;
    } else if (candidate !== undefined && candidate.xmax === undefined && now - candidate.seenAt >= onItsWayMs) {
      candidate.xmax = xmax;
    }
    const highest = positions.at(-1);
    if (this.candidate === undefined && highest !== undefined) this.candidate = { position: highest, seenAt: now };
  }

  /** Restarts from the beginning, such as after a failure. */
  reset(): void {
    this.settled = 0;
    this.candidate = undefined;
    this.resetAt = this.now();
  }
}
