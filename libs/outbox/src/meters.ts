import { observeBy, type Database, type Registry } from '@parley/runtime';
import { Counter } from 'prom-client';

/** What the relay of a process did. */
export interface RelayMeters {
  published(events: number): void;
  /** A turn at the table after which something is tried again. */
  failed(): void;
  /** Events that a stream had lost and that are published again. */
  repeated(events: number): void;
}

export const noMeters: RelayMeters = {
  published: () => undefined,
  failed: () => undefined,
  repeated: () => undefined,
};

/** More than this are not counted: a scrape never walks over a long table. */
const COUNT_AT_MOST = 10_000;

/**
 * outbox_waiting_events and outbox_oldest_waiting_seconds of the whole table (every replica says the same), and what this process
 * published, failed to publish and published again.
 */
export function relayMeters(registry: Registry, db: Database, settled: { readonly value: number }): RelayMeters {
  observeBy(
    registry,
    {
      outbox_waiting_events: `Events that are not published yet, of all replicas together; at most ${COUNT_AT_MOST}`,
      outbox_oldest_waiting_seconds: 'Age of the oldest event that is not published yet; 0 when none waits',
    },
    () => waiting(db, settled.value),
  );
  const counter = (name: string, help: string) => new Counter({ name, help, registers: [registry] });
  const published = counter('outbox_published_events_total', 'Events that this process published');
  const failed = counter('outbox_publish_failures_total', 'Times that this process could not publish and tried again');
  const repeated = counter('outbox_repeated_events_total', 'Events published again because their stream had lost them');
  return {
    published: (events) => published.inc(events),
    failed: () => failed.inc(),
    repeated: (events) => repeated.inc(events),
  };
}

async function waiting(
  db: Database,
  settled: number,
): Promise<{ outbox_waiting_events: number; outbox_oldest_waiting_seconds: number }> {
  const { rows } = await db.query<{ events: number; seconds: number }>({
    name: 'outbox-depth',
    text: `select count(*)::integer as events,
        coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::double precision as seconds
      from (select created_at from outbox where published_at is null and position > $2 order by position limit $1) oldest`,
    values: [COUNT_AT_MOST, settled],
  });
  const [found] = rows;
  return {
    outbox_waiting_events: found?.events ?? 0,
    outbox_oldest_waiting_seconds: Math.max(0, found?.seconds ?? 0),
  };
}
