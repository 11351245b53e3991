import type { Queryable } from '@parley/runtime';

/**
 * The organization that owns an agent, for operators who name none and to tell a foreign record from an absent one on
 * writes. With that of a message template it is the only statement of a request that is not bound to an organization, and it returns nothing but the owner.
 */
export async function findOwner(db: Queryable, agentId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'agent-owner',
    text: 'select organization_id from agents where agent_id = $1',
    values: [agentId],
  });
  return rows[0]?.organization_id;
}
