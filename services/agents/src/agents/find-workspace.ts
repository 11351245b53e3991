import { forbidden, notFound } from '@parley/errors';
import { isId, type Queryable } from '@parley/runtime';
import { findOwner } from './agents.cross-tenant.sql';

/**
 * The organization in which to look an agent up: the one in the request, or the agent's owner for an operator who names none. NotFoundError for an invalid or
 * unknown id.
 */
export async function findWorkspaceId(db: Queryable, organizationId: string, agentId: string): Promise<string> {
  if (!isId('agt', agentId)) throw notFound('agent');
  if (organizationId !== '') return organizationId;
  const owner = await findOwner(db, agentId);
  if (owner === undefined) throw notFound('agent');
  return owner;
}

/** Why a write found nothing: 403 for a foreign record, 404 for an absent one (docs/reference/keys.md#foreign-writes). */
export async function missingOnWrite(db: Queryable, agentId: string): Promise<Error> {
  return (await findOwner(db, agentId)) === undefined ? notFound('agent') : forbidden();
}
