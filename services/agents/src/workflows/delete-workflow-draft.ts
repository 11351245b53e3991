import { discardDraft } from './workflows.sql';
import { draftOf } from './workflow.rules';
import type { Dependencies, Workspace } from '../agents';
import { changeWorkflow, type WorkflowRequest } from './workflow-transaction';

/** DELETE /v1/agents/{agent_id}/workflow/draft, as JSON text: the draft as it was. 409 ConflictError without one. */
export function deleteWorkflowDraft(dependencies: Dependencies, request: WorkflowRequest<Workspace>): Promise<string> {
  return changeWorkflow(dependencies, request, 'workflow.draft_discarded', async (tx, { workflow }) => {
    const draft = draftOf(workflow);
    await discardDraft(tx, workflow.organizationId, workflow.agentId);
    return JSON.stringify(draft);
  });
}
