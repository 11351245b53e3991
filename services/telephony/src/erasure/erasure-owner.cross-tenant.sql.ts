import type { Queryable } from '@parley/runtime';

/** The organization that a record belongs to, for an operator who named none: no statement here names an organization; whatever follows them does. */
export async function ownerOfErasure(db: Queryable, erasureId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'erasure-owner',
    text: 'select organization_id from erasures where erasure_id = $1',
    values: [erasureId],
  });
  return rows[0]?.organization_id;
}
