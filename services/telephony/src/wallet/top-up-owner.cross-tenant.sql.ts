import type { Queryable } from '@parley/runtime';

/** The organization that a record belongs to, for an operator who named none: no statement here names an organization; whatever follows them does. */
export async function ownerOfTopUp(db: Queryable, topUpId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'top-up-owner',
    text: 'select organization_id from wallet_top_ups where top_up_id = $1',
    values: [topUpId],
  });
  return rows[0]?.organization_id;
}
