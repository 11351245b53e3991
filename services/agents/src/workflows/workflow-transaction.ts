import { forbidden, notFound } from '@parley/errors';
import { append, type OutboxEvent } from '@parley/outbox';
import type { Queryable } from '@parley/runtime';
import { auditEvent, type AuditActor } from '@parley/service';
import { findWorkflow, lockWorkflow, type ReadWorkflow } from './workflows.sql';
import { findWorkspaceId, type Dependencies, type Workspace } from '../agents';

export interface WorkflowRequest<Body extends Workspace> {
  readonly organizationId: string;
  readonly agentId: string;
  readonly actor: AuditActor;
  /** Returns the validated body. Called after the agent was found, because an unknown id is reported before invalid fields. */
  readonly body: () => Body;
}

/**
 * Runs a change of a workflow in one transaction: finds the agent (404 if it does not exist or belongs to another organization, docs/reference/requests.md),
 * validates the body, locks the workflow, runs the work and writes the audit entry.
 */
export async function changeWorkflow<Body extends Workspace, T>(
  { db, onCommit }: Dependencies,
  request: WorkflowRequest<Body>,
  action: string,
  work: (tx: Queryable, read: ReadWorkflow, body: Body) => Promise<T>,
): Promise<T> {
  const { agentId } = request;
  const organizationId = await findWorkspaceId(db, request.organizationId, agentId);
  const found = await findWorkflow(db, organizationId, agentId);
  if (found === undefined) throw notFound('agent');
  const body = request.body();
  checkWorkspace(found, body);
  const done = await db.transaction((tx) =>
    locked(tx, organizationId, agentId, async (read) => {
      const result = await work(tx, read, body);
      await append(tx, [workflowAct(action, read, request.actor)]);
      return result;
    }),
  );
  onCommit();
  return done;
}

/** The audit entry states that a workflow was changed, without its content. */
export function workflowAct(action: string, { workflow, now }: ReadWorkflow, actor: AuditActor): OutboxEvent {
  const { organizationId, agentId } = workflow;
  return auditEvent({ organizationId, action, subject: agentId, detail: {} }, new Date(now), actor);
}

/** The same within an existing transaction. */
export async function locked<T>(
  tx: Queryable,
  organizationId: string,
  agentId: string,
  work: (read: ReadWorkflow) => Promise<T>,
): Promise<T> {
  const read = await lockWorkflow(tx, organizationId, agentId);
  if (read === undefined) throw notFound('agent');
  return work(read);
}

export function checkWorkspace({ workflow }: ReadWorkflow, body: Workspace): void {
  const { organizationId, projectId } = workflow;
  if ((body.organization_id ?? organizationId) !== organizationId || (body.project_id ?? projectId) !== projectId)
    throw forbidden();
}
