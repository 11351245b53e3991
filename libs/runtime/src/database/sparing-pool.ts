import pg from 'pg';

/** The number of connections that a pool opens without waiting. Background tasks and polls of a process at rest need no more. */
const OPENED_AT_ONCE = 2;

/** Opening a connection takes about this long, so that waiting for one that is in use costs nothing. */
const WAIT_MS = 20;

/** When more requests wait, the open connections cannot serve all of them within that time. */
const MOST_WAITING = 8;

type Connected = Parameters<pg.Pool['connect']>[0];

/**
 * A pool that opens more than two connections only under load. A pool of pg opens one whenever all others are in use, even if a statement ends a millisecond
 * later; short statements of independent background tasks then keep connections open that are hardly used. Here such a request waits for a connection first.
 */
export class SparingPool extends pg.Pool {
  private readonly waiting: (() => void)[] = [];

  constructor(options: pg.PoolConfig) {
    super(options);
    // The event is emitted just before the connection becomes idle.
    this.on('release', () => process.nextTick(() => this.waiting[0]?.()));
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    if (callback === undefined) return this.patience().then(() => super.connect());
    this.patience().then(
      () => super.connect(callback),
      (error: Error) => callback(error, undefined, () => undefined),
    );
  }

  /** Resolves when a connection is idle, or when another one should be opened. */
  private async patience(): Promise<void> {
    const deadline = performance.now() + WAIT_MS;
    for (let left = WAIT_MS; left > 0 && this.isWorthWaiting(); left = deadline - performance.now()) {
      await this.released(left);
    }
  }

  private isWorthWaiting(): boolean {
    const { totalCount, idleCount, waitingCount, options, waiting } = this;
    const isGrowing = totalCount >= OPENED_AT_ONCE && totalCount < (options.max ?? 0) && idleCount <= waitingCount;
    return isGrowing && waiting.length < MOST_WAITING;
  }

  private released(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const go = (): void => {
        clearTimeout(timer);
        this.waiting.splice(this.waiting.indexOf(go), 1);
        resolve();
      };
      const timer = setTimeout(go, withinMs);
      this.waiting.push(go);
    });
  }
}
