import type { Queryable } from '@parley/runtime';
import type { ErasedCopy } from '../../books/erasure/erased.rules';

export interface DueCopies {
  readonly organizationId: string;
  readonly copies: readonly ErasedCopy[];
}

/**
 * Claims at most `limit` copies of the organization whose copies have waited longest. Copies that are claimed but not finished are due again after a growing
 * delay of at most ten minutes.
 */
export async function claimCopies(db: Queryable, limit: number): Promise<DueCopies | undefined> {
  const { rows } = await db.query<{
    organization_id: string;
    resource_id: string;
    first_event_id: string;
    last_event_id: string;
    events: number;
  }>({
    name: 'erased-copies-claim',
    text: `with first as materialized (
             select organization_id from erased_copies where retry_at <= clock_timestamp() order by retry_at limit 1),
           due as materialized (
             select c.resource_id from first cross join lateral (
               select resource_id from erased_copies where organization_id = first.organization_id
                 and retry_at <= clock_timestamp() order by retry_at limit $1 for update skip locked) c)
           update erased_copies c set attempts = c.attempts + 1,
             retry_at = clock_timestamp() + make_interval(secs => least(2 ^ least(c.attempts + 1, 10), 600))
           from due where c.resource_id = due.resource_id
           returning c.organization_id, c.resource_id, c.first_event_id, c.last_event_id, c.events`,
    values: [limit],
  });
  const [first] = rows;
  if (first === undefined) return undefined;
  const copies = rows.map((row) => ({
    resourceId: row.resource_id,
    firstEventId: row.first_event_id,
    lastEventId: row.last_event_id,
    events: row.events,
  }));
  return { organizationId: first.organization_id, copies };
}

/**
 * Deletes the records of copies that are erased: at least as many events were erased as were expected, or the record is so old that no stream contains such
 * events any more. Returns whether an erasure waited for one of the copies.
 */
export async function finishCopies(
  db: Queryable,
  organizationId: string,
  resourceIds: readonly string[],
  events: readonly number[],
): Promise<boolean> {
  const { rows } = await db.query<{ erasure_id: string | null }>({
    name: 'erased-copies-finish',
    text: `with gone as (
             delete from erased_copies c using unnest($2::text[], $3::integer[]) as erased (resource_id, events)
             where c.organization_id = $1 and c.resource_id = erased.resource_id
               and (erased.events >= c.events or c.erased_at < now() - interval '9 days')
             returning c.erasure_id),
           soon as (
             update erasures set retry_at = clock_timestamp()
             where erasure_id in (select erasure_id from gone where erasure_id is not null) and status = 'running')
           select erasure_id from gone where erasure_id is not null limit 1`,
    values: [organizationId, resourceIds, events],
  });
  return rows.length > 0;
}
