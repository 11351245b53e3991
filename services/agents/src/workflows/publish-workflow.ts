import { type WorkflowPublish, limits } from '@parley/contract';
import type { OutgoingContext } from '@parley/runtime';
import { publishVersion, unpublish } from './workflows.sql';
import { checkDraftRevision, versionOf } from './workflow.rules';
import { withWarnings } from './workflow-warnings';
import { getWorkflow } from './get-workflow';
import type { Dependencies, Workspace } from '../agents';
import { changeWorkflow, type WorkflowRequest } from './workflow-transaction';

/**
 * POST /v1/agents/{agent_id}/workflow/publish: the draft becomes the next version, which new calls pin, and is removed. Returns JSON text.
 * @throws 409 ConflictError if there is no draft; 400 naming the first fault if it is not valid
 */
export async function publishWorkflow(
  dependencies: Dependencies,
  request: WorkflowRequest<WorkflowPublish>,
  context: OutgoingContext,
): Promise<string> {
  const written = await changeWorkflow(
    dependencies,
    request,
    'workflow.published',
    async (tx, { workflow, now }, body) => {
      checkDraftRevision(workflow, body.base_revision);
      const version = versionOf(workflow, now);
      await publishVersion(tx, workflow, version);
      return { workflow, definition: version.definition, answer: version };
    },
  );
  return withWarnings(dependencies, written, context);
}

/** DELETE /v1/agents/{agent_id}/workflow: unpublishes the workflow and returns its view as JSON text. Without a published version nothing changes. */
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
