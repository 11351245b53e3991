import type { Queryable } from '@parley/runtime';
import { erasureColumns, erasureOf, type Erasure, type ErasureRow } from './erasures.sql';

/** Claims the one that waits longest: no other replica goes on with it for a minute. What fails comes again later and later. */
export async function claimErasure(db: Queryable): Promise<Erasure | undefined> {
  const { rows } = await db.query<ErasureRow>({
    name: 'erasure-claim',
    text: `update erasures e set attempts = e.attempts + 1,
             retry_at = clock_timestamp() + make_interval(secs => least(60 * (e.attempts + 1), 600))
           from (select erasure_id, organization_id from erasures where status = 'running' and retry_at <= clock_timestamp()
                 order by retry_at limit 1 for update skip locked) due
           where e.erasure_id = due.erasure_id and e.organization_id = due.organization_id returning ${erasureColumns}`,
  });
  return rows[0] === undefined ? undefined : erasureOf(rows[0]);
}
