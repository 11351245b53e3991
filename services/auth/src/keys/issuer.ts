import { forbidden, notFound, unauthorized } from '@parley/errors';
import { isId, type Caller, type Queryable } from '@parley/runtime';
import { holdLiveKey, type IssuerKey } from './keys.sql';
import { organizationExists } from '../organizations';

/**
 * The issuer's key, read and locked in this transaction against a concurrent revocation: the caller's verification may be a second old. UnauthorizedError if it
 * is not live, ForbiddenError for another organization.
 */
export async function lockIssuerKey(tx: Queryable, caller: Caller, organizationId: string): Promise<IssuerKey> {
  const issuer = await holdLiveKey(tx, caller.organizationId, caller.keyId);
  if (issuer === undefined) throw unauthorized();
  if (issuer.kind !== 'operator' && issuer.organizationId !== organizationId) throw forbidden();
  return issuer;
}

/** A customer's own organization exists; an operator may name any. NotFoundError if there is none. */
export async function assertOrganizationExists(
  tx: Queryable,
  issuer: IssuerKey,
  organizationId: string,
): Promise<void> {
  if (issuer.kind !== 'operator') return;
  const exists = isId('org', organizationId) && (await organizationExists(tx, organizationId));
  if (!exists) throw notFound('organization');
}
