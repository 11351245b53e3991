import { forbidden, notFound, unauthorized } from '@parley/errors';
import { isId, type Caller, type Queryable } from '@parley/runtime';
import { holdLiveKey, type IssuerKey } from './keys.sql';
import { organizationExists } from '../organizations';

/**
 * Reads and locks the issuer's key in this transaction, so that it cannot be revoked concurrently: the verification of the caller may be a second old.
 * @throws UnauthorizedError if the key is not live; ForbiddenError for another organization
 */
export async function lockIssuerKey(tx: Queryable, caller: Caller, organizationId: string): Promise<IssuerKey> {
  const issuer = await holdLiveKey(tx, caller.organizationId, caller.keyId);
  if (issuer === undefined) throw unauthorized();
  if (issuer.kind !== 'operator' && issuer.organizationId !== organizationId) throw forbidden();
  return issuer;
}

/** Checks the organization that an operator names. A customer's own organization always exists. @throws NotFoundError if there is none */
export async function assertOrganizationExists(
  tx: Queryable,
  issuer: IssuerKey,
  organizationId: string,
): Promise<void> {
  if (issuer.kind !== 'operator') return;
  const exists = isId('org', organizationId) && (await organizationExists(tx, organizationId));
  if (!exists) throw notFound('organization');
}
