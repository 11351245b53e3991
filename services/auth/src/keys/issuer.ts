import { forbidden, notFound, unauthorized } from '@parley/errors';
import { isId, type Caller, type Queryable } from '@parley/runtime';
import { holdLiveKey, type MintingKey } from './keys.sql';
import { organizationExists } from '../organizations';

/**
 * The key of who makes a credential, as it stands in this transaction and held against a revocation in flight: what the caller was
 * verified with may be a second old. UnauthorizedError when it is not live, ForbiddenError for another organization.
 */
export async function holdMinter(tx: Queryable, caller: Caller, organizationId: string): Promise<MintingKey> {
  const minter = await holdLiveKey(tx, caller.organizationId, caller.keyId);
  if (minter === undefined) throw unauthorized();
  if (minter.kind !== 'operator' && minter.organizationId !== organizationId) throw forbidden();
  return minter;
}

/** A customer's own organization exists; an operator names any. NotFoundError when there is none. */
export async function namedOrganization(tx: Queryable, minter: MintingKey, organizationId: string): Promise<void> {
  if (minter.kind !== 'operator') return;
  const exists = isId('org', organizationId) && (await organizationExists(tx, organizationId));
  if (!exists) throw notFound('organization');
}
