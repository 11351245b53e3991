import type { Queryable } from '@parley/runtime';
import { alive } from './endpoints.sql';

/**
 * The organization that owns an endpoint: for operators who name none, and to distinguish a foreign endpoint from an absent one on
 * writes. Not bound to an organization; the owner is all that it answers.
 */
export async function ownerOfEndpoint(db: Queryable, id: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'endpoint-owner',
    text: `select organization_id from endpoints where id = $1 and ${alive}`,
    values: [id],
  });
  return rows[0]?.organization_id;
}
