import type { Queryable } from '@parley/runtime';

/** The organization that owns a connection, as for an agent: it returns nothing but the owner. */
export async function findConnectionOwner(db: Queryable, connectionId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'connection-owner',
    text: 'select organization_id from connections where connection_id = $1',
    values: [connectionId],
  });
  return rows[0]?.organization_id;
}
