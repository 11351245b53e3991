import type { WorkflowPublish } from '@parley/contract';
import { publishVersion } from './workflows.sql';
import { checkDraftRevision, versionOf } from './workflow.rules';
import type { Dependencies } from '../agents';
import { changeWorkflow, type WorkflowRequest } from './workflow-transaction';

/**
 * POST /v1/agents/{agent_id}/workflow/publish, as JSON text: the draft becomes the next version, which calls pin from now on, and
 * ends. 409 ConflictError without a draft, 400 naming the first fault of one that cannot run.
 */
export function publishWorkflow(
  dependencies: Dependencies,
  request: WorkflowRequest<WorkflowPublish>,
): Promise<string> {
  return changeWorkflow(dependencies, request, 'workflow.published', async (tx, { workflow, now }, body) => {
    checkDraftRevision(workflow, body.base_revision);
    const version = versionOf(workflow, now);
    await publishVersion(tx, workflow, version);
    return JSON.stringify(version);
  });
}
