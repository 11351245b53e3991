import type { Queryable } from '@parley/runtime';
import { alive } from './endpoints.sql';

/**
 * The organization that owns an endpoint: for operators that specified none, and for writes, which distinguish another organization's endpoint from an absent
 * one. The statement is not restricted to one organization and returns only the owner.
 */
export async function ownerOfEndpoint(db: Queryable, id: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'endpoint-owner',
    text: `select organization_id from endpoints where id = $1 and ${alive}`,
    values: [id],
  });
  return rows[0]?.organization_id;
}
