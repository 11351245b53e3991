import type { WorkflowDraftUpdate } from '@parley/contract';
import { writeDraft } from './workflows.sql';
import { checkDefinition, checkDraftRevision, draftOf, type StoredWorkflow } from './workflow.rules';
import type { Dependencies } from '../agents';
import { changeWorkflow, type WorkflowRequest } from './workflow-transaction';

/**
 * PUT /v1/agents/{agent_id}/workflow/draft, as JSON text. Of several on one base one wins; the others are 409
 * WorkflowRevisionConflictError with the winner. A draft whose graph is unfinished is kept; its `validation` says what is missing.
 */
export function saveWorkflowDraft(
  dependencies: Dependencies,
  request: WorkflowRequest<WorkflowDraftUpdate>,
): Promise<string> {
  return changeWorkflow(dependencies, request, 'workflow.draft_saved', async (tx, { workflow, now }, body) => {
    checkDefinition(body.draft);
    checkDraftRevision(workflow, body.base_revision);
    const before = workflow.draft;
    const draft = {
      definition: body.draft,
      layout: body.layout ?? before?.layout ?? {},
      createdAt: before?.createdAt ?? now,
      updatedAt: now,
    };
    const after: StoredWorkflow = { ...workflow, revision: workflow.revision + 1, draft };
    await writeDraft(tx, after, draft);
    return JSON.stringify(draftOf(after));
  });
}
