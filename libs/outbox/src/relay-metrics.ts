import { observeBy, type Database, type Registry } from '@parley/runtime';
import { Counter } from 'prom-client';

/** Counters of a process's relay. */
export interface RelayMetrics {
  published(events: number): void;
  /** Counts a pass over the table after which something must be retried. */
  failed(): void;
  /** Counts events that a stream had lost and that were published again. */
  repeated(events: number): void;
}

export const noMetrics: RelayMetrics = {
  published: () => undefined,
  failed: () => undefined,
  repeated: () => undefined,
};

/** Counting stops at this number, so that a scrape of the metrics never scans a long table. */
const COUNT_AT_MOST = 10_000;

/**
 * Metrics of the outbox: parley_outbox_unpublished_events and parley_outbox_oldest_unpublished_seconds of the whole table (all replicas report the same
 * values), and how many events this process published, failed to publish and published again.
 */
export function relayMetrics(registry: Registry, db: Database, settled: { readonly value: number }): RelayMetrics {
  observeBy(
    registry,
    {
      parley_outbox_unpublished_events: `Events that are not published yet, over all replicas; at most ${COUNT_AT_MOST}`,
      parley_outbox_oldest_unpublished_seconds: 'Age of the oldest event that is not published yet; 0 if there is none',
    },
    () => waiting(db, settled.value),
  );
  const counter = (name: string, help: string) => new Counter({ name, help, registers: [registry] });
  const published = counter('parley_outbox_published_events_total', 'Events that this process published');
  const failed = counter(
    'parley_outbox_publish_failures_total',
    'Failed attempts of this process to publish, each of which is retried',
  );
  const repeated = counter(
    'parley_outbox_republished_events_total',
    'Events published again because their stream had lost them',
  );
  return {
    published: (events) => published.inc(events),
    failed: () => failed.inc(),
    repeated: (events) => repeated.inc(events),
  };
}

async function waiting(
  db: Database,
  settled: number,
): Promise<{ parley_outbox_unpublished_events: number; parley_outbox_oldest_unpublished_seconds: number }> {
  const { rows } = await db.query<{ events: number; seconds: number }>({
    name: 'outbox-depth',
    text: `select count(*)::integer as events,
        coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::double precision as seconds
      from (select created_at from outbox where published_at is null and position > $2 order by position limit $1) oldest`,
    values: [COUNT_AT_MOST, settled],
  });
  const [found] = rows;
  return {
    parley_outbox_unpublished_events: found?.events ?? 0,
    parley_outbox_oldest_unpublished_seconds: Math.max(0, found?.seconds ?? 0),
  };
}
