import type { WorkflowDraftCreate } from '@parley/contract';
import { conflict, notFound } from '@parley/errors';
import { append } from '@parley/outbox';
import { creating, findStoredResponse, type CreatingRequest } from '@parley/service';
import { findVersionContent, findWorkflow, writeDraft, type ReadWorkflow, discardDraft } from './workflows.sql';
import { blankDefinition, checkDefinition, currentVersion, draftOf, type StoredWorkflow } from './workflow.rules';
import { findWorkspaceId, type AgentAnswer, type Dependencies, type Workspace } from '../agents';
import { checkWorkspace, locked, workflowAct, type WorkflowRequest, changeWorkflow } from './workflow-transaction';
import type { Queryable } from '@parley/runtime';

export interface CreateWorkflowDraft extends WorkflowRequest<WorkflowDraftCreate> {
  /** The Idempotency-Key of the request, within an organization. */
  readonly creating: (organizationId: string) => CreatingRequest;
}

/**
 * POST /v1/agents/{agent_id}/workflow/draft: creates a draft from the body, otherwise from the published workflow, otherwise with a start node and an end node.
 * An earlier response for the Idempotency-Key is returned before any other check.
 * @throws 409 ConflictError if there is already a draft
 */
export async function createWorkflowDraft(
  { db, onCommit }: Dependencies,
  request: CreateWorkflowDraft,
): Promise<AgentAnswer> {
  const { agentId } = request;
  const organizationId = await findWorkspaceId(db, request.organizationId, agentId);
  const idempotency = request.creating(organizationId);
  const earlier = await findStoredResponse(db, idempotency);
  if (earlier !== undefined) return { body: earlier.body, etag: '', replayed: true };
  const found = await findWorkflow(db, organizationId, agentId);
  if (found === undefined) throw notFound('agent');
  const body = request.body();
  checkWorkspace(found, body);
  if (body.draft !== undefined) checkDefinition(body.draft);
  const { value, stored } = await creating(
    db,
    idempotency,
    async (tx) => {
      const json = await locked(tx, organizationId, agentId, async (read) => {
        await append(tx, [workflowAct('workflow.draft_created', read, request.actor)]);
        return begin(tx, read, body);
      });
      return { status: 201, body: json, recordId: agentId, value: json };
    },
    { recalled: true },
  );
  if (stored !== undefined) return { body: stored.body, etag: '', replayed: true };
  onCommit();
  return { body: value, etag: '' };
}

async function begin(tx: Queryable, { workflow, now }: ReadWorkflow, body: WorkflowDraftCreate): Promise<string> {
  if (workflow.draft !== undefined) throw conflict('a draft already exists');
  const { organizationId, agentId } = workflow;
  const published = await findVersionContent(tx, organizationId, agentId, currentVersion(workflow));
  const draft = {
    definition: body.draft ?? published?.definition ?? blankDefinition,
    layout: body.layout ?? (body.draft === undefined ? published?.layout : undefined) ?? {},
    createdAt: now,
    updatedAt: now,
  };
  const after: StoredWorkflow = { ...workflow, revision: workflow.revision + 1, draft };
  await writeDraft(tx, after, draft);
  return JSON.stringify(draftOf(after));
}

/** DELETE /v1/agents/{agent_id}/workflow/draft: returns the deleted draft as JSON text. @throws 409 ConflictError if there is none */
export function deleteWorkflowDraft(dependencies: Dependencies, request: WorkflowRequest<Workspace>): Promise<string> {
  return changeWorkflow(dependencies, request, 'workflow.draft_discarded', async (tx, { workflow }) => {
    const draft = draftOf(workflow);
    await discardDraft(tx, workflow.organizationId, workflow.agentId);
    return JSON.stringify(draft);
  });
}
