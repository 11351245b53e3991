import type { JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Database, Logger, Registry } from '@parley/runtime';
import { Counter } from 'prom-client';
import type { ConsumerDefinition } from './ensure-consumer';
import type { StreamName } from './event';
import { MissingEvents } from './missing-events';
import { ensureStream, streamDefinition } from './streams';
import { beginAgain, verifyStream } from './verify-stream';

interface StreamWatchOptions {
  readonly db: Database;
  readonly log: Logger;
  readonly metrics?: Registry;
  readonly stream: StreamName;
  readonly replicas?: number;
  readonly durable: string;
  readonly known?: (ids: readonly string[]) => Promise<readonly string[]>;
}

const reasons = ['created again', 'end lost', 'other message', 'events missing'] as const;

/**
 * Ensures that a durable consumer does not skip events. It compares the recorded position with the stream, and the acknowledged events with those that the
 * service has stored. If they differ, the consumer restarts at an earlier position.
 */
export class StreamWatch {
  private readonly missing: MissingEvents | undefined;
  private readonly restarts: Counter<'reason'> | undefined;
  private readonly found: Counter | undefined;
  private streamCreated = '';

  constructor(
    private readonly options: StreamWatchOptions,
    private readonly definition: ConsumerDefinition & { readonly durable_name: string },
  ) {
    const { db, durable, known, metrics } = options;
    if (known !== undefined) this.missing = new MissingEvents({ db, durable, known });
    if (metrics === undefined) return;
    this.restarts = new Counter({
      name: 'parley_consumer_restarts_total',
      help: 'Restarts of this consumer at an earlier position, because its stream lost events or it skipped some',
      labelNames: ['reason'],
      registers: [metrics],
    });
    // Initialized to 0, because otherwise the first event would create the series, and alerts would see no increase.
    for (const reason of reasons) this.restarts.inc({ reason }, 0);
    this.found = new Counter({
      name: 'parley_consumer_missing_events_total',
      help: 'Acknowledged events that the service had not stored',
      registers: [metrics],
    });
  }

  /** The stream's creation time at the last check. */
  get created(): string {
    return this.streamCreated;
  }

  /** Checks the stream. Returns whether the consumer restarts, so that events received before must no longer be acknowledged. */
  async look(connection: NatsConnection, jsm: JetStreamManager): Promise<boolean> {
    const { db, log, stream, replicas, durable } = this.options;
    const info = await ensureStream(jsm, streamDefinition(stream, replicas));
    const lost = await verifyStream(db, jsm, info, this.definition);
    this.streamCreated = info.created;
    if (lost !== undefined) {
      this.restarts?.inc({ reason: lost.reason });
      log.warn(
        { stream, durable, ...lost },
        'the stream has lost events; recreating the consumer from sequence `from`',
      );
      return true;
    }
    if (this.missing === undefined) return false;
    const consumer = await jsm.consumers.info(stream, durable).catch(() => undefined);
    const missing = await this.missing.find(connection, info, consumer?.ack_floor.stream_seq ?? 0);
    const [first] = missing;
    if (first === undefined) return false;
    this.found?.inc(missing.length);
    this.restarts?.inc({ reason: 'events missing' });
    log.warn(
      { stream, durable, events: missing.length, from: first.seq },
      'the consumer missed events; recreating it from sequence `from`',
    );
    await beginAgain(db, jsm, info, this.definition, first.seq);
    this.missing.backTo(info.created, first.seq);
    return true;
  }
}
