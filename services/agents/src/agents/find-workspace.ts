import { forbidden, notFound } from '@parley/errors';
import { isId, type Queryable } from '@parley/runtime';
import { findOwner } from './agents.cross-tenant.sql';

/**
 * The organization to look an agent up in: the one the request names, or its owner for an operator who names none.
 * NotFoundError for an id that cannot exist or that no one owns.
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
