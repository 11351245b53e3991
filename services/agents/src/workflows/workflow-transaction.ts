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
  /** Gives the body, checked against its class; called once the agent is found, because the id is judged before the fields. */
  readonly body: () => Body;
}

/**
 * A write of a workflow: the agent looked up (404 when absent or foreign, docs/reference/requests.md), the body checked, then the work with
 * the workflow locked and its act for the audit log, in one transaction.
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

/** For the audit log: that a workflow was changed, not its content. */
export function workflowAct(action: string, { workflow, now }: ReadWorkflow, actor: AuditActor): OutboxEvent {
  const { organizationId, agentId } = workflow;
  return auditEvent({ organizationId, action, subject: agentId, detail: {} }, new Date(now), actor);
}

/** The same inside a transaction that there is already. */
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
