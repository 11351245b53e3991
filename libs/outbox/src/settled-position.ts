/** The state of database transactions at the time of a pass. */
export interface Transactions {
  /** All transactions with a lower id have ended, and their rows are visible. */
  readonly xmin: bigint;
  /** No transaction with this or a higher id has started. */
  readonly xmax: bigint;
}

/** The maximum time between the assignment of a row's position and of its transaction's id. */
const onItsWayMs = 1_000;

/** After this time the whole table is read once again, in case a position was considered settled wrongly. */
const againMs = 3_600_000;

/** The minimum interval between two positions that are remembered. With them the settled position stays little more than a second behind. */
const candidateEveryMs = 100;

/** Maximum of remembered positions; more are needed only while a transaction stays open for long. */
const mostCandidates = 16;

interface Candidate {
  readonly position: number;
  readonly seenAt: number;
  /** No transaction with this or a higher id had started `onItsWayMs` after the position was seen. */
  xmax?: bigint;
}

/**
 * The position up to which all events have been published. Waiting events are read from there on. The reason is that index entries of published events remain
 * until vacuum removes them, which an old snapshot (such as a backup) can prevent for hours; a pass that started with the oldest entry would scan all of them
 * each time.
 * A position is assigned before its row is committed, so a row may appear below others that were published long before. Therefore a position is settled only
 * when all transactions that could still commit a row below it have ended: those that had started when the position was seen, or within a second after that.
 */
export class SettledPosition {
  private settled = 0;
  private resetAt: number;
  /** Positions that are not settled yet, ascending. */
  private candidates: Candidate[] = [];

  constructor(private readonly now: () => number = () => performance.now()) {
    this.resetAt = now();
  }

  /** No unpublished events can appear at or below this position. */
  get value(): number {
    return this.settled;
  }

  /**
   * Processes the result of a pass.
   * @param transactions the state of transactions shortly before the events were read
   * @param positions the positions of the waiting events that were read, ascending
   */
  passed({ xmin, xmax }: Transactions, positions: readonly number[]): void {
    const now = this.now();
    if (now - this.resetAt >= againMs) return this.reset();
    const [lowest] = positions;
    for (let first = this.candidates[0]; first?.xmax !== undefined && xmin >= first.xmax; first = this.candidates[0]) {
      const published = lowest === undefined ? first.position : Math.min(first.position, lowest - 1);
      this.settled = Math.max(this.settled, published);
      this.candidates.shift();
    }
    for (const candidate of this.candidates) {
      if (candidate.xmax === undefined && now - candidate.seenAt >= onItsWayMs) candidate.xmax = xmax;
    }
    const highest = positions.at(-1);
    const last = this.candidates.at(-1);
    if (highest === undefined || this.candidates.length >= mostCandidates) return;
    if (last === undefined || (highest > last.position && now - last.seenAt >= candidateEveryMs)) {
      this.candidates.push({ position: highest, seenAt: now });
    }
  }

  /** Starts from the beginning again, for example after a failure. */
  reset(): void {
    this.settled = 0;
    this.candidates = [];
    this.resetAt = this.now();
  }
}
