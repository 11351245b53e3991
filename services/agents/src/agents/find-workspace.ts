import { forbidden, notFound } from '@parley/errors';
import { isId, type Queryable } from '@parley/runtime';
import { findOwner } from './agents.cross-tenant.sql';

/**
 * Returns the organization in which to look the agent up: that of the request, or the agent's owner for an operator who names none. @throws NotFoundError for
 * an invalid or unknown id
 */
export async function findWorkspaceId(db: Queryable, organizationId: string, agentId: string): Promise<string> {
  if (!isId('agt', agentId)) throw notFound('agent');
  if (organizationId !== '') return organizationId;
  const owner = await findOwner(db, agentId);
  if (owner === undefined) throw notFound('agent');
  return owner;
}

/** The error of a write that found no agent: 403 if it belongs to another organization, 404 if it does not exist (docs/reference/keys.md#foreign-writes). */
export async function missingOnWrite(db: Queryable, agentId: string): Promise<Error> {
  return (await findOwner(db, agentId)) === undefined ? notFound('agent') : forbidden();
}
