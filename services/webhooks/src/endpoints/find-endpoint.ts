import { forbidden, notFound } from '@parley/errors';
import { isId, type Queryable } from '@parley/runtime';
import { ownerOfEndpoint } from './endpoint-owner.cross-tenant.sql';
import type { Endpoint } from './endpoint.rules';
import { findEndpoint, lockEndpoint } from './endpoints.sql';

const absent = () => notFound('agent endpoint');

/** For reads: a foreign endpoint answers exactly like one that never was (docs/reference/keys.md#foreign-reads). NotFoundError. */
export async function endpointForRead(db: Queryable, organizationId: string, id: string): Promise<Endpoint> {
  if (!isId('ep', id)) throw absent();
  const owner = organizationId === '' ? await ownerOfEndpoint(db, id) : organizationId;
  const endpoint = owner === undefined ? undefined : await findEndpoint(db, owner, id);
  if (endpoint === undefined) throw absent();
  return endpoint;
}

/** For deletion: locked; a foreign one and an absent one are 404. */
export async function endpointForDeletion(tx: Queryable, organizationId: string, id: string): Promise<Endpoint> {
  if (!isId('ep', id)) throw absent();
  const owner = organizationId === '' ? await ownerOfEndpoint(tx, id) : organizationId;
  const endpoint = owner === undefined ? undefined : await lockEndpoint(tx, owner, id);
  if (endpoint === undefined) throw absent();
  return endpoint;
}

/** For changes: locked; a foreign one is 403 (docs/reference/keys.md#foreign-writes), an absent one 404. */
export async function endpointForWrite(tx: Queryable, organizationId: string, id: string): Promise<Endpoint> {
  try {
    return await endpointForDeletion(tx, organizationId, id);
  } catch (error) {
    if (organizationId !== '' && isId('ep', id) && (await ownerOfEndpoint(tx, id)) !== undefined) throw forbidden();
    throw error;
  }
}
