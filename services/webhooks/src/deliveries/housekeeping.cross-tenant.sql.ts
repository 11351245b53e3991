import type { Ring } from '@parley/outbox';
import type { Queryable } from '@parley/runtime';

/** How many days deliveries and attempts are kept. */
const keptDays = 30;

/** How many days events are kept: until every delivery created from them has finished its attempts. */
const eventDays = 35;

const stepRows = 5_000;

/** The tables in order: events, deliveries (partitioned by the time of their event) and attempts. */
export const rings: readonly Ring[] = [
  { table: 'events', idPrefix: 'evt', kept: eventDays },
  { table: 'deliveries', idPrefix: 'evt', kept: keptDays, fillfactor: 80 },
  { table: 'attempts', kept: keptDays },
];

async function repeat(db: Queryable, days: number, text: string): Promise<void> {
  for (;;) {
    const { rowCount } = await db.query({ text, values: [days, stepRows] });
    if (rowCount < stepRows) return;
  }
}

/** Deletes the rows of endpoints that were removed before the oldest event kept, and of recoveries that ended before the oldest delivery kept. */
export async function forgetOld(db: Queryable): Promise<void> {
  await repeat(
    db,
    eventDays,
    `with gone as (
      delete from endpoints where id in (
        select id from endpoints where deleted_at < now() - make_interval(days => $1) limit $2 for update skip locked)
      returning id)
    delete from endpoint_queues where endpoint_id in (select id from gone)`,
  );
  await repeat(
    db,
    keptDays,
    `delete from recoveries where id in (
      select id from recoveries where finished_at < now() - make_interval(days => $1) limit $2 for update skip locked)`,
  );
}

/** Per route: whether the record that a request created still exists. Its stored response is kept for as long. */
export const recordExists: Readonly<Record<string, string>> = {
  ep: 'exists (select 1 from endpoints where id = idempotency.record_id and deleted_at is null)',
};
