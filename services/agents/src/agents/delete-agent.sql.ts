import type { Queryable } from '@parley/runtime';

/**
 * Removes an agent with everything that is its own. The service may not delete publications and versions of workflows, which are immutable: a function of
 * the schema's owner does, with the agent alone. False: the agent changed, and nothing was removed.
 */
export async function removeAgent(
  tx: Queryable,
  organizationId: string,
  agentId: string,
  revision: number,
): Promise<boolean> {
  const { rows } = await tx.query<{ removed: boolean }>({
    name: 'agent-delete',
    text: 'select delete_agent($1, $2, $3) as removed',
    values: [organizationId, agentId, revision],
  });
  return rows[0]?.removed === true;
}
