import type { Queryable } from '@parley/runtime';
import { alive } from './endpoints';

/**
 * The organizations that own an endpoint or a delivery: for operators who name none, and to tell a foreign record from an
 * absent one on writes. Not bound to an organization, and they answer nothing but the owner.
 */
export async function ownerOfEndpoint(db: Queryable, id: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'endpoint-owner',
    text: `select organization_id from endpoints where id = $1 and ${alive}`,
    values: [id],
  });
  return rows[0]?.organization_id;
}

export async function ownerOfDelivery(db: Queryable, id: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'delivery-owner',
    text: 'select organization_id from deliveries where id = $1',
    values: [id],
  });
  return rows[0]?.organization_id;
}
