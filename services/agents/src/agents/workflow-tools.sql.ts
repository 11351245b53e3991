import type { WorkflowDefinition } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import type { AgentWorkflows } from './workflow-tools.rules';

/** What of an agent's workflows runs now, and what is being written. */
export async function findWorkflowsOf(db: Queryable, organizationId: string, agentId: string): Promise<AgentWorkflows> {
  const { rows } = await db.query<{ published: string | null; draft: string | null }>({
    name: 'agent-workflows-find',
    text: `select a.workflow as published, w.draft from agents a left join agent_workflows w on w.agent_id = a.agent_id and w.organization_id = a.organization_id
           where (a.organization_id = $1) is true and a.agent_id = $2`,
    values: [organizationId, agentId],
  });
  const { published = null, draft = null } = rows[0] ?? {};
  return {
    ...(published !== null && { published: (JSON.parse(published) as { definition: WorkflowDefinition }).definition }),
    ...(draft !== null && { draft: JSON.parse(draft) as WorkflowDefinition }),
  };
}
