import type { Queryable } from '@parley/runtime';

/** The space of the advisory locks on knowledge bases, whose rows belong to another service. */
const lockSpace = 7414;

/** Until the transaction ends, `reserveBase` finds none of the knowledge bases free. */
export async function holdBases(tx: Queryable, ids: readonly string[]): Promise<void> {
  await tx.query({
    name: 'bases-hold',
    text: `select pg_advisory_xact_lock_shared(${lockSpace}, hashtext(id)) from unnest($1::text[]) as id`,
    values: [ids],
  });
}

/** @returns false while a transaction holds the knowledge base */
export async function reserveBase(tx: Queryable, id: string): Promise<boolean> {
  const { rows } = await tx.query<{ taken: boolean }>({
    name: 'base-reserve',
    text: `select pg_try_advisory_xact_lock(${lockSpace}, hashtext($1)) as taken`,
    values: [id],
  });
  return rows[0]?.taken === true;
}

/** Returns an agent that has the knowledge base; undefined if there is none. */
export async function findAgentNaming(
  tx: Queryable,
  organizationId: string,
  knowledgeBaseId: string,
): Promise<string | undefined> {
  const { rows } = await tx.query<{ agent_id: string }>({
    name: 'base-agent-naming',
    text: `select agents.agent_id from agents join agent_knowledge_bases as assigned
             on assigned.organization_id = agents.organization_id and assigned.agent_id = agents.agent_id
           where agents.organization_id = $1 and $2 = any(assigned.knowledge_base_ids) limit 1`,
    values: [organizationId, knowledgeBaseId],
  });
  return rows[0]?.agent_id;
}

/** Locks the agent, so that it is not deleted concurrently. @returns undefined if the organization does not have the agent */
export async function lockAgentProject(
  tx: Queryable,
  organizationId: string,
  agentId: string,
): Promise<{ readonly project_id: string; readonly now: Date } | undefined> {
  const { rows } = await tx.query<{ project_id: string; now: Date }>({
    name: 'agent-project-lock',
    text: `select project_id, now() as now from agents
           where organization_id = $1 and agent_id = $2 for key share`,
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
           where agents.organization_id = $1 and agents.agent_id = $2`,
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
