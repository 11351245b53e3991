import type { Queryable } from '@parley/runtime';

/** Returns a batch of agents with stored data that were not checked in the last hour. */
export async function agentsToCheck(
  db: Queryable,
): Promise<{ readonly organizationId: string; readonly agentId: string }[]> {
  const { rows } = await db.query<{ organization_id: string; agent_id: string }>({
    name: 'kept-agents-to-check',
    text: `(select organization_id, agent_id from extraction_configurations where checked_at < now() - interval '1 hour' order by checked_at limit 100)
           union
           (select organization_id, agent_id from simulation_suites where checked_at < now() - interval '1 hour' order by checked_at limit 100)`,
    values: [],
  });
  return rows.map((row) => ({ organizationId: row.organization_id, agentId: row.agent_id }));
}

/** Records that the agent exists. */
export async function noteAgent(db: Queryable, organizationId: string, agentId: string): Promise<void> {
  await db.query({
    name: 'kept-agent-note',
    text: `with configuration as (
             update extraction_configurations set checked_at = now() where organization_id = $1 and agent_id = $2)
           update simulation_suites set checked_at = now() where organization_id = $1 and agent_id = $2`,
    values: [organizationId, agentId],
  });
}
