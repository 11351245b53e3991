import type { JetStreamManager } from '@nats-io/jetstream';
import { observeBy, type Database, type Registry } from '@parley/runtime';
import type { StreamName } from './event';

export interface ObservedConsumer {
  readonly db: Database;
  readonly stream: StreamName;
  readonly durable: string;
  /** Returns undefined until the consumer has connected for the first time. */
  readonly manager: () => JetStreamManager | undefined;
}

/** If a server does not respond within this time, the scrape omits its metrics. */
const ANSWER_WITHIN_MS = 1_000;

/** Counting stops at this number, so that a scrape of the metrics never scans a long table. */
const COUNT_AT_MOST = 10_000;

/**
 * Metrics of how far a durable consumer is behind its stream (parley_consumer_pending_events, parley_consumer_unacknowledged_events,
 * parley_consumer_oldest_pending_seconds), and of its dead letters (parley_dead_letter_events, parley_dead_letter_oldest_seconds). All replicas report the same
 * values. Metrics of an unavailable server are omitted.
 */
export function observeConsumer(registry: Registry, observed: ObservedConsumer): void {
  observeBy(
    registry,
    {
      parley_consumer_pending_events:
        'Events of the stream that were not delivered to any replica of this consumer yet',
      parley_consumer_unacknowledged_events: 'Events that were delivered and are not acknowledged yet',
      parley_consumer_oldest_pending_seconds: 'Age of the oldest event that is not acknowledged; 0 when there is none',
    },
    () => readLag(observed),
  );
  observeBy(
    registry,
    {
      parley_dead_letter_events: `Events that this consumer dead-lettered; at most ${COUNT_AT_MOST}`,
      parley_dead_letter_oldest_seconds: 'Age of the oldest of them; 0 when there is none',
    },
    () => readDeadLetterDepth(observed),
  );
}

async function readLag({ stream, durable, manager }: ObservedConsumer) {
  const jsm = manager();
  if (jsm === undefined) throw new Error('not connected yet');
  const info = await within(ANSWER_WITHIN_MS, jsm.consumers.info(stream, durable));
  const behind = info.num_pending + info.num_ack_pending;
  return {
    parley_consumer_pending_events: info.num_pending,
    parley_consumer_unacknowledged_events: info.num_ack_pending,
    parley_consumer_oldest_pending_seconds:
      behind === 0 ? 0 : await within(ANSWER_WITHIN_MS, ageAfter(jsm, stream, info.ack_floor.stream_seq)),
  };
}

/** The age of the first event after a sequence number. The events directly after it may have expired in the stream. */
async function ageAfter(jsm: JetStreamManager, stream: StreamName, floor: number): Promise<number> {
  const { state } = await jsm.streams.info(stream);
  const seq = Math.max(floor + 1, state.first_seq);
  const message = seq > state.last_seq ? null : await jsm.streams.getMessage(stream, { seq });
  return message === null ? 0 : Math.max(0, (Date.now() - message.time.getTime()) / 1000);
}

/** The number of dead letters and the age of the oldest. Ordered by id, because ids grow with time and the primary key has that order. */
async function readDeadLetterDepth({ db, durable }: ObservedConsumer) {
  const { rows } = await db.query<{ events: number; seconds: number }>({
    name: 'outbox-dead-letter-depth',
    text: `select count(*)::integer as events,
        coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::double precision as seconds
      from (select created_at from dead_letters where durable = $1 order by event_id limit $2) first`,
    values: [durable, COUNT_AT_MOST],
  });
  const [found] = rows;
  return {
    parley_dead_letter_events: found?.events ?? 0,
    parley_dead_letter_oldest_seconds: Math.max(0, found?.seconds ?? 0),
  };
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
