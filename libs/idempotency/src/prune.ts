import type { Queryable } from '@parley/runtime';

export interface PruneOptions {
  /**
   * An SQL condition that holds while the record of a remembered row still exists, such as
   * `exists (select 1 from agent_endpoints e where e.id = idempotency.record_id)`.
   */
  readonly recordExists: string;
  /** At least 24: how long an answer is kept after its record is gone. */
  readonly hours?: number;
  /** Rows a call removes at most, so that no statement runs long. */
  readonly batch?: number;
}

const leastHours = 24;

/**
 * Forgets the answers whose record is gone and that are old enough; rows without a record id are kept.
 * Returns how many went: call again while it is the batch size.
 */
export async function prune(db: Queryable, options: PruneOptions): Promise<number> {
  const hours = Math.max(options.hours ?? leastHours, leastHours);
  const { rowCount } = await db.query({
    text: `delete from idempotency where (organization_id, route, key) in (
             select organization_id, route, key from idempotency
             where created_at < now() - make_interval(hours => $1::integer) and record_id <> '' and not (${options.recordExists})
             order by created_at limit $2 for update skip locked)`,
    values: [hours, options.batch ?? 1000],
  });
  return rowCount;
}
