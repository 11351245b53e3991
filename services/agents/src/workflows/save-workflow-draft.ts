import type { WorkflowDraftUpdate } from '@parley/contract';
import type { OutgoingContext } from '@parley/runtime';
import { writeDraft } from './workflows.sql';
import { checkDefinition, checkDraftRevision, draftOf, type StoredWorkflow } from './workflow.rules';
import type { Dependencies } from '../agents';
import { changeWorkflow, type WorkflowRequest } from './workflow-transaction';
import { withWarnings } from './workflow-warnings';

/**
 * PUT /v1/agents/{agent_id}/workflow/draft: saves the draft and returns it as JSON text. Of several saves with the same base revision only the first succeeds;
 * the others get a 409 WorkflowRevisionConflictError with the saved draft. A draft with an incomplete graph is stored, and its `validation` lists the faults.
 */
export async function saveWorkflowDraft(
  dependencies: Dependencies,
  request: WorkflowRequest<WorkflowDraftUpdate>,
  context: OutgoingContext,
): Promise<string> {
  const written = await changeWorkflow(
    dependencies,
    request,
    'workflow.draft_saved',
    async (tx, { workflow, now }, body) => {
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
      return { workflow, definition: body.draft, answer: draftOf(after) };
    },
  );
  return withWarnings(dependencies, written, context);
}
