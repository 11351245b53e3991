import type { Queryable } from '@parley/runtime';

/** Counting stops at this number, so that a scrape of the metrics never scans a long table. */
export const countAtMost = 10_000;

export interface QueueDepths {
  /** Queues with due deliveries that no replica has leased. */
  readonly due: number;
  /** How long the delivery waiting longest in such a queue has been due, in seconds. */
  readonly oldest: number;
  /** Queues whose lease has expired. */
  readonly lost: number;
}

/** Queues (one per endpoint) with due deliveries, according to the database. */
export async function readDepths(db: Queryable): Promise<QueueDepths> {
  const { rows } = await db.query<QueueDepths>({
    name: 'endpoint-queues-depths',
    text: `select (count(*) filter (where leased_by is null))::integer as due,
        coalesce(extract(epoch from now() - min(due_at) filter (where leased_by is null)), 0)::double precision as oldest,
        (count(*) filter (where leased_by is not null))::integer as lost
      from (select due_at, leased_by from endpoint_queues
        where health in ('healthy', 'unproven', 'failing') and due_at <= now()
          and (leased_by is null or lease_until <= now()) limit $1) waiting`,
    values: [countAtMost],
  });
  return rows[0] ?? { due: 0, oldest: 0, lost: 0 };
}
