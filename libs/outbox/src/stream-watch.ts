import { type JetStreamManager, DeliverPolicy, jetstream, type StreamInfo } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { Counter } from 'prom-client';
import type { Database, Logger, Registry, Queryable } from '@parley/runtime';
import type { ConsumerDefinition } from './ensure-consumer';
import type { StreamName } from './event';
import { ensureStream, streamDefinition } from './streams';
import { beginAgain, verifyStream } from './verify-stream';
import type { StreamPlace } from './stream-memory';

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

interface MissingOptions {
  readonly db: Queryable;
  readonly durable: string;
  /** Returns which of these event ids the service has stored. */
  readonly known: (ids: readonly string[]) => Promise<readonly string[]>;
}

/** The period that the first check of a process covers. */
const firstHours = 1;
/** Maximum of messages read per check, without their payloads. */
const mostRead = 20_000;
const expiresMs = 2_000;

/**
 * Compares a stream with the events that the service of a durable consumer has stored. Every message up to the consumer's acknowledged sequence number was
 * handled, so it must be stored as an event or as a dead letter. Each message is compared once; a process starts with the messages of the last hour.
 */
class MissingEvents {
  private last: { readonly created: string; readonly seq: number } | undefined;

  constructor(private readonly options: MissingOptions) {}

  /** Acknowledged messages that the service has not stored, in ascending order. */
  async find(connection: NatsConnection, info: StreamInfo, acknowledged: number): Promise<StreamPlace[]> {
    const { created, config } = info;
    if (this.last?.created !== created) this.last = undefined;
    const from = this.last?.seq ?? 0;
    const upTo = Math.min(acknowledged, info.state.last_seq);
    if (upTo <= from || info.state.messages === 0) return [];
    const places = await readPlaces(connection, config.name, this.last?.seq, upTo);
    const highest = places.at(-1);
    const missing = await this.unknown(places);
    if (highest !== undefined) this.last = { created, seq: highest.seq };
    return missing;
  }

  /** Makes the next check start at this sequence number again. */
  backTo(created: string, seq: number): void {
    this.last = { created, seq: seq - 1 };
  }

  private async unknown(places: readonly StreamPlace[]): Promise<StreamPlace[]> {
    const { db, durable, known } = this.options;
    const have = new Set(await known(places.map(({ id }) => id)));
    const missing = places.filter(({ id }) => !have.has(id));
    if (missing.length === 0) return [];
    const { rows } = await db.query<{ event_id: string }>({
      text: 'select event_id from dead_letters where durable = $1 and event_id = any($2::text[])',
      values: [durable, missing.map(({ id }) => id)],
    });
    const aside = new Set(rows.map(({ event_id }) => event_id));
    return missing.filter(({ id }) => !aside.has(id));
  }
}

async function readPlaces(
  connection: NatsConnection,
  stream: string,
  after: number | undefined,
  upTo: number,
): Promise<StreamPlace[]> {
  const begins =
    after === undefined
      ? {
          deliver_policy: DeliverPolicy.StartTime,
          opt_start_time: new Date(Date.now() - firstHours * 3_600_000).toISOString(),
        }
      : { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: after + 1 };
  const reader = await jetstream(connection).consumers.get(stream, { ...begins, headers_only: true });
  const places: StreamPlace[] = [];
  try {
    const messages = await reader.fetch({ max_messages: mostRead, expires: expiresMs });
    for await (const message of messages) {
      if (message.seq > upTo) break;
      const id = message.headers?.get('Nats-Msg-Id') ?? '';
      places.push({ seq: message.seq, id: id === '' ? `${stream}-${String(message.seq)}` : id });
      if (message.seq === upTo) break;
    }
  } finally {
    await reader.delete().catch(() => false);
  }
  return places;
}
