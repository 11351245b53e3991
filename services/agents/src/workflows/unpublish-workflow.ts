import { limits } from '@parley/contract';
import { unpublish } from './workflows.sql';
import { getWorkflow } from './get-workflow';
import type { Dependencies, Workspace } from '../agents';
import { changeWorkflow, type WorkflowRequest } from './workflow-transaction';

/** DELETE /v1/agents/{agent_id}/workflow, as JSON text: the workflow as it reads then. Without a published version nothing changes. */
export async function unpublishWorkflow(
  dependencies: Dependencies,
  request: WorkflowRequest<Workspace>,
): Promise<string> {
  const owner = await changeWorkflow(dependencies, request, 'workflow.unpublished', async (tx, { workflow }) => {
    const { organizationId, agentId } = workflow;
    await unpublish(tx, organizationId, agentId);
    return { organizationId, agentId };
  });
  return getWorkflow(dependencies, owner, { offset: 0, limit: limits.pageSizeDefault });
}
