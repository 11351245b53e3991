import type { Queryable } from '@parley/runtime';

/** Locks the agent, so that it is not deleted concurrently. @returns undefined if the organization does not have the agent */
export async function lockAgentProject(
  tx: Queryable,
  organizationId: string,
  agentId: string,
): Promise<{ readonly project_id: string; readonly now: Date } | undefined> {
  const { rows } = await tx.query<{ project_id: string; now: Date }>({
    name: 'agent-project-lock',
    text: `select project_id, now() as now from agents
           where (organization_id = $1) is true and agent_id = $2 for key share`,
    values: [organizationId, agentId],
  });
  return rows[0];
}

/** Returns the project of an agent and its knowledge bases; undefined if the organization does not have the agent. */
export async function findAssigned(
  db: Queryable,
  organizationId: string,
  agentId: string,
): Promise<{ readonly project_id: string; readonly knowledge_base_ids: readonly string[] } | undefined> {
  const { rows } = await db.query<{ project_id: string; knowledge_base_ids: string[] | null }>({
    name: 'agent-knowledge-bases',
    text: `select agents.project_id, assigned.knowledge_base_ids from agents
           left join agent_knowledge_bases as assigned
             on assigned.organization_id = agents.organization_id and assigned.agent_id = agents.agent_id
           where (agents.organization_id = $1) is true and agents.agent_id = $2`,
    values: [organizationId, agentId],
  });
  const [row] = rows;
  return row === undefined ? undefined : { ...row, knowledge_base_ids: row.knowledge_base_ids ?? [] };
}

export async function putAssigned(
  tx: Queryable,
  organizationId: string,
  agentId: string,
  knowledgeBaseIds: readonly string[],
): Promise<void> {
  await tx.query({
    name: 'agent-knowledge-bases-put',
    text: `insert into agent_knowledge_bases (organization_id, agent_id, knowledge_base_ids) values ($1, $2, $3)
           on conflict (agent_id) do update set knowledge_base_ids = excluded.knowledge_base_ids
           where agent_knowledge_bases.organization_id = excluded.organization_id`,
    values: [organizationId, agentId, knowledgeBaseIds],
  });
}
