import { notFound } from '@parley/errors';
import { isId, type Database } from '@parley/runtime';
import { findGatewayTokenOwner } from './key-owner.cross-tenant.sql';
import type { KeyRecord } from './key.rules';
import { revokeOf, type RevokeKey } from './revoke-key';

/** Revokes a gateway token as a key is revoked. NotFoundError for an absent one and for another organization's alike. */
export async function revokeGatewayToken(db: Database, command: RevokeKey): Promise<KeyRecord> {
  const { caller, client, organizationId, keyId } = command;
  if (!isId('key', keyId)) throw notFound('gateway token');
  return db.transaction(async (tx) => {
    const owner = await findGatewayTokenOwner(tx, keyId);
    const anyOrganization = caller.kind === 'operator' && organizationId === '';
    if (owner === undefined || (!anyOrganization && owner !== organizationId)) throw notFound('gateway token');
    return revokeOf(tx, { caller, client }, owner, keyId, 'gateway_token.revoked');
  });
}
