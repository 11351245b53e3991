import { forbidden, notFound } from '@parley/errors';
import type { Queryable } from '@parley/runtime';
import { findWorkflow, lockWorkflow, type ReadWorkflow } from '../db/workflows';
import type { Workspace } from './change-agent';
import type { Dependencies } from './dependencies';
import { workspaceOf } from './find-workspace';

export interface WorkflowRequest<Body extends Workspace> {
  readonly organizationId: string;
  readonly agentId: string;
  /** Gives the body, checked against its class; called once the agent is found, because the id is judged before the fields. */
  readonly body: () => Body;
}

/**
 * A write of a workflow: the agent looked up (404 when absent or foreign, decisions section 1), the body checked, then the work with
 * the workflow locked, in one transaction.
 */
export async function changeWorkflow<Body extends Workspace, T>(
  { db }: Dependencies,
  request: WorkflowRequest<Body>,
  work: (tx: Queryable, read: ReadWorkflow, body: Body) => Promise<T>,
): Promise<T> {
  const { agentId } = request;
  const organizationId = await workspaceOf(db, request.organizationId, agentId);
  const found = await findWorkflow(db, organizationId, agentId);
  if (found === undefined) throw notFound('agent');
  const body = request.body();
  checkWorkspace(found, body);
  return db.transaction((tx) => locked(tx, organizationId, agentId, (read) => work(tx, read, body)));
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
