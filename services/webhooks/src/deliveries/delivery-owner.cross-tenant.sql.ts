import type { Queryable } from '@parley/runtime';

/** The organization that owns a delivery, for operators who name none. Not bound to an organization; the owner is all that it answers. */
export async function ownerOfDelivery(db: Queryable, id: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'delivery-owner',
    text: 'select organization_id from deliveries where id = $1',
    values: [id],
  });
  return rows[0]?.organization_id;
}
