import {
  AckPolicy,
  DeliverPolicy,
  jetstream,
  jetstreamManager,
  type ConsumerInfo,
  type ConsumerMessages,
  type JetStreamManager,
} from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/transport-node';
import type { Background, Database, Logger, Registry } from '@parley/runtime';
import { observeConsumer } from './consumer-metrics';
import { recreateStaleConsumer, ensureConsumer } from './ensure-consumer';
import type { ConsumedEvent, StreamName } from './event';
import { EventHandler, heldOf, type Held } from './event-handler';
import { MinInterval } from './min-interval';
import { recordPosition } from './stream-memory';
import type { NatsSource } from './streams';
import { StreamWatch } from './stream-watch';
import { Signal } from './signal';

export interface ConsumerOptions {
  readonly db: Database;
  readonly nats: NatsSource;
  readonly log: Logger;
  /** If set, receives metrics of the consumer's lag and of its dead letters. Only one consumer per registry. */
  readonly metrics?: Registry;
  readonly stream: StreamName;
  /** Number of replicas of the stream; default 1. Must be the same in all processes. */
  readonly replicas?: number;
  /** The name of the durable consumer, which all replicas of a service share. */
  readonly durable: string;
  /** Subjects with wildcards. A single one is filtered by the server; several are filtered here, because nats-server 2.9 supports only one filter. */
  readonly subjects: readonly string[];
  /**
   * Handles one event. It must be idempotent (by a primary key) and commit before it returns, because the event is acknowledged then. Throw
   * UnprocessableEventError for an event that can never be handled; after any other error the event is delivered again.
   */
  readonly handle: (event: ConsumedEvent) => Promise<void>;
  /** Optional: handles all available events in one transaction, all or none. If it fails, the events are handled one by one. */
  readonly handleMany?: (events: readonly ConsumedEvent[]) => Promise<void>;
  /** After how many failures caused by the event itself it is moved to `dead_letters`; default 10. */
  readonly maxDeliver?: number;
  /** Maximum of events per `handleMany`, and concurrency when events are handled one by one; default 128 and 8. */
  readonly batch?: number;
  readonly concurrency?: number;
  /**
   * Minimum milliseconds between the starts of two batches; default 25. The first batch after a pause starts at once; under load, the next batch takes all
   * events that arrived in between. After a full batch the next one starts without delay.
   */
  readonly minIntervalMs?: number;
  /**
   * Returns which of these event ids the service has stored: acknowledged events that are missing are delivered again. Without this function, there is no such
   * check.
   */
  readonly known?: (ids: readonly string[]) => Promise<readonly string[]>;
  /** Milliseconds between two comparisons of the stream with the recorded position; default 60 000. */
  readonly verifyMs?: number;
  /** After how many seconds the server redelivers an unacknowledged event to another replica; default 30. */
  readonly ackWaitSeconds?: number;
}

const backoffMs = { first: 100, most: 5_000 } as const;
const pullExpiresMs = 5_000;
const finishWithinMs = 10_000;
const verifyAgainMs = 1_000;

class DurableConsumer implements Background {
  readonly name: string;
  private readonly arrived = new Signal();
  private readonly pause = new Signal();
  private readonly pace: MinInterval;
  private readonly batch: number;
  private readonly handler: EventHandler;
  private held: Held[] = [];
  private messages: ConsumerMessages | undefined;
  private stopping = false;
  private working: Promise<void> | undefined;
  private manager: JetStreamManager | undefined;
  private readonly watch: StreamWatch;
  private readonly verifying = new Signal();
  private verified: Promise<void> | undefined;
  private followed: NatsConnection | undefined;
  /**
   * Whether the stream was checked since the connection was established. Before the check the recorded position must not be advanced: a stream that lost its
   * end may have grown beyond the recorded position since, and then the loss would not be noticed.
   */
  private compared = false;

  constructor(private readonly options: ConsumerOptions) {
    this.name = `consumer-${options.durable}`;
    const { maxDeliver = 10, concurrency = 8, batch = 128 } = options;
    this.batch = batch;
    this.pace = new MinInterval(options.minIntervalMs ?? 25);
    const { metrics, db, stream, durable } = options;
    this.watch = new StreamWatch(options, this.configuration());
    this.handler = new EventHandler({
      ...options,
      maxDeliver,
      concurrency,
      recordPosition: ({ streamSeq: seq, id }) =>
        recordPosition(db, [stream, durable], { created: this.watch.created, seq, id }),
    });
    if (metrics !== undefined) observeConsumer(metrics, { db, stream, durable, manager: () => this.manager });
  }

  start(): void {
    if (this.working !== undefined) return;
    this.working = this.work();
    // Never rejects, because errors are handled in its own loop.
    this.receive().catch((error: unknown) => this.options.log.error({ err: error }, 'consuming ended'));
    this.verified = this.verify();
  }

  /** Resolves when the received events are handled, after at most 10 s. Does not wait for a connection that was never established. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.messages?.stop();
    this.arrived.signal();
    this.pause.signal();
    this.verifying.signal();
    this.pace.stop();
    await Promise.all([this.working, this.verified]);
  }

  /** Keeps a pull subscription open across failures of server, stream and consumer. */
  private async receive(): Promise<void> {
    let delay: number = backoffMs.first;
    while (!this.stopping) {
      try {
        const messages = await this.subscribe();
        delay = backoffMs.first;
        const ended = await messages.closed();
        if (ended instanceof Error) throw ended;
      } catch (error) {
        if (this.stopping) return;
        this.options.log.warn(
          { err: error, durable: this.options.durable, retry_in_ms: delay },
          'consuming was interrupted',
        );
      }
      if (!this.stopping) await this.pause.wait(delay);
      delay = Math.min(delay * 2, backoffMs.most);
    }
  }

  private async subscribe(): Promise<ConsumerMessages> {
    const { stream, durable, nats } = this.options;
    const connection = await nats.connection();
    if (this.stopping) throw new Error('stopped');
    const jsm = await jetstreamManager(connection, { checkAPI: false });
    this.follow(connection).catch((error: unknown) => this.options.log.error({ err: error }, 'nats status lost'));
    await this.look(connection, jsm);
    await ensureConsumer(jsm, stream, this.configuration());
    this.manager = jsm;
    const consumer = await jetstream(connection).consumers.get(stream, durable);
    const messages = await consumer.consume({
      max_messages: 256,
      expires: pullExpiresMs,
      abort_on_missing_resource: true,
      callback: (message) => {
        this.held.push(heldOf(message));
        this.arrived.signal();
      },
    });
    this.messages = messages;
    if (this.stopping) messages.stop();
    this.listen(messages, jsm, await consumer.info(true)).catch((error: unknown) =>
      this.options.log.warn({ err: error, durable }, 'failed to subscribe to a consumer'),
    );
    return messages;
  }

  /** Checks the stream now. If the consumer restarts, events received before are dropped, because they are delivered again. */
  private async look(connection: NatsConnection, jsm: JetStreamManager): Promise<void> {
    if (await this.watch.look(connection, jsm)) this.held = [];
    this.compared = true;
    this.arrived.signal();
  }

  /** Checks the stream periodically, and as soon as the connection is restored, because a server that was down may have lost events. */
  private async verify(): Promise<void> {
    const { log, durable, verifyMs = 60_000 } = this.options;
    let waitMs = verifyMs;
    for (;;) {
      await this.verifying.wait(waitMs);
      if (this.stopping) return;
      if (this.manager === undefined || this.followed === undefined) continue;
      try {
        await this.look(this.followed, this.manager);
        waitMs = verifyMs;
      } catch (error) {
        waitMs = Math.min(verifyMs, verifyAgainMs);
        log.warn({ err: error, durable }, 'the stream could not be compared with its recorded position');
      }
    }
  }

  private async follow(connection: NatsConnection): Promise<void> {
    if (this.followed === connection) return;
    this.followed = connection;
    for await (const { type } of connection.status()) {
      if (type === 'disconnect' || type === 'reconnect') this.compared = false;
      if (type === 'reconnect') this.verifying.signal();
    }
  }

  /** Detects a consumer for which the server no longer sends anything, not even idle heartbeats, and recreates it. */
  private async listen(messages: ConsumerMessages, jsm: JetStreamManager, known: ConsumerInfo): Promise<void> {
    for await (const { type } of messages.status()) {
      if (type !== 'heartbeats_missed') continue;
      // If the server cannot be queried now, the check is repeated after the next missed heartbeat.
      if ((await recreateStaleConsumer(jsm, known).catch(() => 'kept')) !== 'kept') {
        messages.stop(new Error('no heartbeat from the consumer; recreating it'));
      }
    }
  }

  private configuration() {
    const { durable, subjects, ackWaitSeconds = 30 } = this.options;
    const [only, ...others] = subjects;
    return {
      durable_name: durable,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: nanos(ackWaitSeconds * 1000),
      // Unlimited, because this process decides which events are dead letters: it knows the cause of a failure.
      max_deliver: -1,
      max_ack_pending: 1024,
      ...(only !== undefined && others.length === 0 ? { filter_subject: only } : {}),
    };
  }

  private async work(): Promise<void> {
    while (!this.stopping) {
      if (this.held.length === 0 || !this.compared) await this.arrived.wait(pullExpiresMs);
      if (!this.compared) continue;
      this.pace.begin();
      await this.step();
      if (this.held.length < this.batch) await this.pace.rest();
    }
    // Finishes the received events, because the server would redeliver them to another replica only after the ack wait, and nats-server 2.9 mishandles a nak
    // while no pull request is waiting.
    const until = performance.now() + finishWithinMs;
    while (this.held.length > 0 && this.compared && performance.now() < until) await this.step();
    for (const { message } of this.held.splice(0)) message.nak();
  }

  private async step(): Promise<void> {
    const batch = this.held.splice(0, this.batch);
    if (batch.length > 0) await this.handler.handleBatch(batch);
  }
}

/**
 * A durable pull consumer that acknowledges an event after its transaction is committed. It survives restarts of NATS and the loss of stream and consumer: both
 * are recreated, and all events in the stream are delivered again, so handlers must be idempotent. Replicas with the same durable name share its events. Events
 * that cannot be handled are stored in the table `dead_letters`.
 */
export function createConsumer(options: ConsumerOptions): Background {
  return new DurableConsumer(options);
}
