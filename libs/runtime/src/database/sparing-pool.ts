import pg from 'pg';

/** The number of connections that a pool opens without waiting. Background tasks and polls of a process at rest need no more. */
const OPENED_AT_ONCE = 2;

/** A request waits for as long as opening a connection took the last time, within these bounds, so that waiting for one that is in use costs little. */
const WAIT_MS = { least: 20, most: 100 } as const;

/** When more requests wait, the open connections cannot serve all of them within that time. */
const MOST_WAITING = 8;

/** Background tasks have no waiting caller, so they wait longer before a third connection is opened, also on a slow machine. */
const BACKGROUND_WAIT_MS = { least: 250, most: 2_000, timesOpening: 10 } as const;
const MOST_WAITING_IN_BACKGROUND = 16;

type Connected = Parameters<pg.Pool['connect']>[0];
type Go = () => void;

/**
 * A pool that opens more than two connections only under load. A pool of pg opens one whenever all others are in use, even if a statement ends a millisecond
 * later; short statements of independent background tasks then keep connections open that are hardly used. Here such a request waits for a connection first.
 */
export class SparingPool extends pg.Pool {
  private readonly waiting: Go[] = [];
  private readonly waitingInBackground: Go[] = [];
  private readonly usedInBackground = new Set<pg.PoolClient>();
  /** Background tasks for which a connection is being opened or an idle one is reserved. */
  private connectingInBackground = 0;
  /** How long opening a connection took the last time. */
  private openingMs = 0;

  constructor(options: pg.PoolConfig) {
    super(options);
    this.on('release', (_, client) => {
      this.usedInBackground.delete(client);
      // The event is emitted just before the connection becomes idle.
      process.nextTick(() => (this.waiting[0] ?? this.waitingInBackground[0])?.());
    });
  }

  /** This pool for background tasks. They also do not use idle connections beyond the first two, unless there is load. */
  get background(): pg.Pool {
    const connect = (callback?: Connected): Promise<pg.PoolClient> | void =>
      this.connected(() => this.connectInBackground(), callback);
    return Object.create(this, { connect: { value: connect } }) as pg.Pool;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    return this.connected(() => this.connectPatiently(), callback);
  }

  private async connectPatiently(inBackground = false): Promise<pg.PoolClient> {
    const waitMs = Math.min(WAIT_MS.most, Math.max(WAIT_MS.least, this.openingMs));
    const deadline = performance.now() + waitMs;
    for (let left = waitMs; left > 0 && this.isWorthWaiting(); left = deadline - performance.now()) {
      await released(this.waiting, left);
    }
    // Nothing may be awaited between the check and this: otherwise all requests of a moment would count on the same idle connection, and all but one open another.
    return inBackground ? this.openInBackground() : this.open();
  }

  /** Uses an idle connection, or opens one. */
  private async open(): Promise<pg.PoolClient> {
    const begun = performance.now();
    const opens = this.idleCount === 0 && this.totalCount < (this.options.max ?? 0);
    const client = await super.connect();
    if (opens) this.openingMs = performance.now() - begun;
    return client;
  }

  private async openInBackground(): Promise<pg.PoolClient> {
    this.connectingInBackground += 1;
    try {
      const client = await this.open();
      this.usedInBackground.add(client);
      return client;
    } finally {
      this.connectingInBackground -= 1;
    }
  }

  private connected(connect: () => Promise<pg.PoolClient>, callback?: Connected): Promise<pg.PoolClient> | void {
    if (callback === undefined) return connect();
    connect().then(
      (client) => callback(undefined, client, (error?: Error | boolean) => client.release(error)),
      (error: Error) => callback(error, undefined, () => undefined),
    );
  }

  private async connectInBackground(): Promise<pg.PoolClient> {
    const { least, most, timesOpening } = BACKGROUND_WAIT_MS;
    const waitMs = Math.min(most, Math.max(least, timesOpening * this.openingMs));
    const deadline = performance.now() + waitMs;
    for (let left = waitMs; left > 0 && this.isWorthWaitingInBackground(); left = deadline - performance.now()) {
      await released(this.waitingInBackground, left);
    }
    return this.connectPatiently(true);
  }

  private isWorthWaiting(): boolean {
    const { totalCount, idleCount, waitingCount, options, waiting } = this;
    const isGrowing = totalCount >= OPENED_AT_ONCE && totalCount < (options.max ?? 0) && idleCount <= waitingCount;
    return isGrowing && waiting.length < MOST_WAITING;
  }

  /** If requests already use two connections, there is load, and waiting would save no connection. */
  private isWorthWaitingInBackground(): boolean {
    // An idle connection that is reserved counts as used.
    const used = this.totalCount - this.idleCount + this.waitingCount;
    const usedByRequests = used - this.usedInBackground.size - this.connectingInBackground;
    const isShared = used >= OPENED_AT_ONCE && usedByRequests < OPENED_AT_ONCE;
    return isShared && this.waitingInBackground.length < MOST_WAITING_IN_BACKGROUND;
  }
}

/** Resolves when a connection was released and it is the turn of this request, or after this time. */
function released(queue: Go[], withinMs: number): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      clearTimeout(timer);
      queue.splice(queue.indexOf(go), 1);
      resolve();
    };
    const timer = setTimeout(go, withinMs);
    queue.push(go);
  });
}
