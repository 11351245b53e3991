import { DeliverPolicy, jetstream, type StreamInfo } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Queryable } from '@parley/runtime';
import type { StreamPlace } from './stream-memory';

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
export class MissingEvents {
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
