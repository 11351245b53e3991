import { erasureColumns, erasureOf, type Erasure, type ErasureRow } from './erasures.sql';
import type { Queryable } from '@parley/runtime';

/** Claims the erasure that has been due longest. It is due again after one minute per attempt so far, this one included, at most ten minutes. */
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

/**
 * The organization that owns an erasure, for an operator that specified none. The statements of this file are not restricted to one organization; those that
 * use the result are.
 */
export async function ownerOfErasure(db: Queryable, erasureId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'erasure-owner',
    text: 'select organization_id from erasures where erasure_id = $1',
    values: [erasureId],
  });
  return rows[0]?.organization_id;
}
