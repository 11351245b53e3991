import type { JetStreamManager } from '@nats-io/jetstream';
import { observeBy, type Database, type Registry } from '@parley/runtime';
import type { StreamName } from './event';

export interface ObservedConsumer {
  readonly db: Database;
  readonly stream: StreamName;
  readonly durable: string;
  /** Undefined until the consumer has been connected once. */
  readonly manager: () => JetStreamManager | undefined;
}

/** Beyond this a scrape goes without the figures of a server that does not answer. */
const ANSWER_WITHIN_MS = 1_000;

/** More than this are not counted: a scrape never walks over a long table. */
const COUNT_AT_MOST = 10_000;

/**
 * How far a durable consumer is behind its stream (consumer_waiting_events, consumer_unacknowledged_events,
 * consumer_oldest_waiting_seconds) and what it put aside (poison_events, poison_oldest_seconds). Every replica says the same. Figures
 * of a server that is away are left out.
 */
export function observeConsumer(registry: Registry, observed: ObservedConsumer): void {
  observeBy(
    registry,
    {
      consumer_waiting_events: 'Events of the stream that were not handed to this consumer yet, all replicas together',
      consumer_unacknowledged_events: 'Events that were handed out and are not acknowledged yet',
      consumer_oldest_waiting_seconds: 'Age of the oldest event that is not acknowledged; 0 when there is none',
    },
    () => lagOf(observed),
  );
  observeBy(
    registry,
    {
      poison_events: `Events that this consumer could not handle and put aside; at most ${COUNT_AT_MOST}`,
      poison_oldest_seconds: 'Time since the first of them was put aside; 0 when there is none',
    },
    () => poisonOf(observed),
  );
}

async function lagOf({ stream, durable, manager }: ObservedConsumer) {
  const jsm = manager();
  if (jsm === undefined) throw new Error('not connected yet');
  const info = await within(ANSWER_WITHIN_MS, jsm.consumers.info(stream, durable));
  const behind = info.num_pending + info.num_ack_pending;
  return {
    consumer_waiting_events: info.num_pending,
    consumer_unacknowledged_events: info.num_ack_pending,
    consumer_oldest_waiting_seconds:
      behind === 0 ? 0 : await within(ANSWER_WITHIN_MS, ageAfter(jsm, stream, info.ack_floor.stream_seq)),
  };
}

/** Age of the first event after a sequence; the stream may have let the next ones expire. */
async function ageAfter(jsm: JetStreamManager, stream: StreamName, floor: number): Promise<number> {
  const { state } = await jsm.streams.info(stream);
  const seq = Math.max(floor + 1, state.first_seq);
  const message = seq > state.last_seq ? null : await jsm.streams.getMessage(stream, { seq });
  return message === null ? 0 : Math.max(0, (Date.now() - message.time.getTime()) / 1000);
}

/** By the ids, which grow with time and which the primary key has in order. */
async function poisonOf({ db, durable }: ObservedConsumer) {
  const { rows } = await db.query<{ events: number; seconds: number }>({
    name: 'outbox-poison-depth',
    text: `select count(*)::integer as events,
        coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::double precision as seconds
      from (select created_at from poison where durable = $1 order by event_id limit $2) first`,
    values: [durable, COUNT_AT_MOST],
  });
  const [found] = rows;
  return { poison_events: found?.events ?? 0, poison_oldest_seconds: Math.max(0, found?.seconds ?? 0) };
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
