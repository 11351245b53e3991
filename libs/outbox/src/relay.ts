import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Background, Database, Logger, Registry } from '@parley/runtime';
import { AcknowledgedPublisher } from './acknowledged-publisher';
import { lookForWaiting, markPublished, readWaiting, takePass, type LostEvent, type WaitingEvent } from './waiting';
import type { StreamName } from './event';
import { noMetrics, relayMetrics, type RelayMetrics } from './relay-metrics';
import { MinInterval } from './min-interval';
import { publishAll, SequenceWatch, type PublishOutcome } from './publish';
import { anyLost, reconcileStream } from './reconcile';
import { Repeats } from './repeats';
import { SettledPosition } from './settled-position';
import { ensureStream, streamDefinition, streams, type NatsSource } from './streams';
import { Signal } from './signal';

export interface RelayOptions {
  readonly db: Database;
  readonly nats: NatsSource;
  readonly log: Logger;
  /** If set, receives metrics of the number and age of waiting events, and of this relay's work. */
  readonly metrics?: Registry;
  /** The name of the service. Its audit events are published with it in their subject, which only the service's NATS user may do. */
  readonly producer: string;
  /** The streams to which this service publishes; default: EVENTS and AUDIT. */
  readonly streams?: readonly StreamName[];
  /** Number of replicas of each stream; default 1. Must be the same in all processes. */
  readonly replicas?: number;
  /** Maximum of events read and in flight at a time, 1 to 1024; default 256. */
  readonly batch?: number;
  /** How often the table is polled without a wake-up; default 1000 ms. */
  readonly pollMs?: number;
  /**
   * Minimum milliseconds between the starts of two passes over the table; default 50. The first pass after a pause starts at once, so that a single event does
   * not wait; under load, one pass publishes all events that were added in between. After a pass with a full batch the next one starts without delay.
   */
  readonly minIntervalMs?: number;
  /** Milliseconds between two comparisons with the streams; default 60 000. */
  readonly reconcileMs?: number;
  /** Milliseconds between two searches for lost events to publish again; default 10 000. */
  readonly lookForLostMs?: number;
}

/** Publishes the events in the outbox; see `createRelay`. */
export interface Relay extends Background {
  /** Starts a pass as soon as `minIntervalMs` permits; must be called after the commit of a transaction that appended events. Never throws. */
  wake(): void;
}

const backoffMs = { first: 100, most: 2_000 } as const;
const ackTimeoutMs = 5_000;

/** When the next pass starts: immediately, after the minimum interval, or when the relay is woken or polls. */
type Next = 'now' | 'soon' | 'later';

class OutboxRelay implements Relay {
  readonly name = 'outbox-relay';
  private readonly wakeSignal = new Signal();
  private readonly pace: MinInterval;
  private readonly watch = new SequenceWatch();
  private readonly settled = new SettledPosition();
  private readonly repeats = new Repeats();
  private readonly created = new Map<StreamName, string>();
  private readonly batch: number;
  private readonly pollMs: number;
  private readonly reconcileMs: number;
  private readonly lookForLostMs: number;
  private readonly meters: RelayMetrics;
  private connection: NatsConnection | undefined;
  private manager: JetStreamManager | undefined;
  private publisher: AcknowledgedPublisher | undefined;
  private connected = false;
  private reconciledAt = -Infinity;
  private lookedAt = -Infinity;
  /** Whether events may have been appended since the last pass. */
  private woken = true;
  private stopping = false;
  private running: Promise<void> | undefined;
  private stopped: () => void = () => undefined;
  private readonly untilStopped = new Promise<undefined>((resolve) => (this.stopped = () => resolve(undefined)));

  constructor(private readonly options: RelayOptions) {
    this.batch = options.batch ?? 256;
    this.pollMs = options.pollMs ?? 1_000;
    this.reconcileMs = options.reconcileMs ?? 60_000;
    this.lookForLostMs = options.lookForLostMs ?? 10_000;
    this.pace = new MinInterval(options.minIntervalMs ?? 50);
    this.meters = options.metrics === undefined ? noMetrics : relayMetrics(options.metrics, options.db, this.settled);
  }

  start(): void {
    this.running ??= this.run();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.wakeSignal.signal();
    this.pace.stop();
    this.stopped();
    await this.running;
    this.publisher?.close();
  }

  wake(): void {
    this.woken = true;
    this.wakeSignal.signal();
  }

  private async run(): Promise<void> {
    let delay: number = backoffMs.first;
    while (!this.stopping) {
      try {
        this.pace.begin();
        const next = await this.runPass();
        delay = backoffMs.first;
        if (next === 'later') await this.wakeSignal.wait(this.pollMs);
        if (next !== 'now') await this.pace.rest();
      } catch (error) {
        this.meters.failed();
        this.options.log.warn({ err: error, retry_in_ms: delay }, 'the outbox could not be published; trying again');
        this.reconciledAt = -Infinity;
        this.settled.reset();
        await this.wakeSignal.wait(delay);
        delay = Math.min(delay * 2, backoffMs.most);
      }
    }
  }

  /** One pass over the table. */
  private async runPass(): Promise<Next> {
    const ready = await this.ready();
    if (ready === undefined) return 'later';
    if (performance.now() - this.reconciledAt >= this.reconcileMs) await this.reconcile(ready.connection);
    if (performance.now() - this.lookedAt >= this.lookForLostMs) await this.lookForLost();
    if (this.repeats.pending && this.manager !== undefined) await this.repeats.look(this.manager);
    const outcome = (await this.atRest()) ? 'nothing' : await this.pass(ready.publisher);
    if (outcome === 'nothing') return this.repeats.pending ? 'soon' : 'later';
    // Another relay is running a pass, and may have read the table before our events were committed.
    if (outcome === 'taken') return 'soon';
    this.meters.published(outcome.published.length);
    this.meters.repeated(outcome.repeated);
    if (outcome.rewound) this.reconciledAt = -Infinity;
    if (outcome.failure !== undefined)
      throw new Error('some events could not be published', { cause: outcome.failure });
    return outcome.published.length >= this.batch ? 'now' : 'soon';
  }

  /** The publisher, with its connection; undefined while the connection is down, in which case nothing is read. */
  private async ready(): Promise<{ publisher: AcknowledgedPublisher; connection: NatsConnection } | undefined> {
    if (this.connection === undefined || this.publisher === undefined || this.connection.isClosed()) {
      // The first connection may never be established; `stop` must not wait for it.
      const connection = await Promise.race([this.options.nats.connection(), this.untilStopped]);
      if (connection === undefined) return undefined;
      this.connection = connection;
      this.publisher?.close();
      this.publisher = new AcknowledgedPublisher(connection, ackTimeoutMs, this.options.nats.inboxPrefix);
      this.connected = true;
      this.follow(connection).catch((error: unknown) => this.options.log.error({ err: error }, 'nats status lost'));
    }
    return this.connected ? { publisher: this.publisher, connection: this.connection } : undefined;
  }

  private async follow(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') this.connected = false;
      if (status.type === 'reconnect') {
        this.connected = true;
        this.reconciledAt = -Infinity;
        this.wakeSignal.signal();
      }
    }
  }

  /** Whether there is nothing to do. Without a wake-up this is usually so, and checking it costs a quarter of a pass. */
  private async atRest(): Promise<boolean> {
    const { woken } = this;
    this.woken = false;
    if (woken || this.repeats.pending) return false;
    const { waiting, ...transactions } = await lookForWaiting(this.options.db, this.settled.value);
    if (!waiting) this.settled.passed(transactions, []);
    return !waiting;
  }

  /** Takes the pass lock, publishes events and records the result in one transaction, so that the lock is released at once if the relay dies. */
  private pass(publisher: AcknowledgedPublisher): Promise<PassOutcome | 'taken' | 'nothing'> {
    return this.options.db.transaction(async (tx) => {
      const transactions = await takePass(tx);
      if (transactions === undefined) return 'taken';
      const fresh = await readWaiting(tx, this.batch, this.settled.value);
      const positions = fresh.map(({ position }) => Number(position));
      const lost = this.repeats.pending
        ? await this.repeats.next(tx, (stream) => this.createdOf(stream), this.batch - fresh.length)
        : [];
      this.settled.passed(transactions, positions);
      if (fresh.length + lost.length === 0) return 'nothing';
      const events = inOrder(fresh, lost).map((event) => this.underProducer(event));
      const outcome = await publishAll(publisher, events, (stream) => this.createdOf(stream), this.watch);
      await markPublished(tx, outcome.published);
      this.repeats.repeated(lost, outcome.published);
      const done = new Set(outcome.published.map(({ id }) => id));
      return { ...outcome, repeated: lost.filter(({ id }) => done.has(id)).length };
    });
  }

  private underProducer(event: WaitingEvent): WaitingEvent {
    return event.stream === 'AUDIT' ? { ...event, subject: `${event.subject}.${this.options.producer}` } : event;
  }

  private createdOf(stream: StreamName): string {
    return this.created.get(stream) ?? '';
  }

  private async reconcile(connection: NatsConnection): Promise<void> {
    const { db } = this.options;
    const jsm = await jetstreamManager(connection, { checkAPI: false });
    this.manager = jsm;
    for (const name of this.options.streams ?? (Object.keys(streams) as StreamName[])) {
      const info = await ensureStream(jsm, streamDefinition(name, this.options.replicas));
      if (this.created.get(name) !== info.created) this.repeats.restart();
      this.created.set(name, info.created);
      await reconcileStream(db, jsm, info);
    }
    this.reconciledAt = performance.now();
    await this.lookForLost();
  }

  private async lookForLost(): Promise<void> {
    this.lookedAt = performance.now();
    for (const [stream, created] of this.created) {
      const lost = await anyLost(this.options.db, stream, created);
      if (this.repeats.found(stream, lost)) {
        this.options.log.warn({ stream }, 'the stream has lost events; they are published again');
      }
    }
  }
}

type PassOutcome = PublishOutcome & { readonly repeated: number };

/** Merges new and lost events, so that events of one resource are in the order in which they were appended. */
function inOrder(fresh: readonly WaitingEvent[], lost: readonly LostEvent[]): WaitingEvent[] {
  if (lost.length === 0) return [...fresh];
  const byPosition = (a: WaitingEvent, b: WaitingEvent): number => Number(a.position) - Number(b.position);
  return [...fresh, ...lost].sort(byPosition);
}

/**
 * The relay of a service's outbox. Each replica of the service runs one, but only one publishes at a time. It publishes events with their id as message id and
 * with trace context and event type as headers, records the stream's creation time and the sequence number, and retries without limit. Every minute, on
 * reconnect and after a failure it verifies that the streams exist and still have the events that they acknowledged; lost events are published again after
 * those never published. Delivery is at least once, and in order per resource as long as nothing is lost (see `readWaiting`).
 */
export function createRelay(options: RelayOptions): Relay {
  return new OutboxRelay(options);
}
