import { forbidden, notFound } from '@parley/errors';
import { isId, newId, type Caller, type Database, type Queryable } from '@parley/runtime';
import { appendAudit } from '../db/audit';
import { lockKey, markRevoked } from '../db/keys';
import { findKeyOwner } from '../db/owner-look-ups';
import type { KeyRecord } from '../domain/records';

export interface RevokeKey {
  readonly caller: Caller;
  /** Empty for an operator who named none: any organization. */
  readonly organizationId: string;
  readonly keyId: string;
}

/**
 * Revokes a key; every replica obeys within a second (decisions section 3). A key that is revoked already is returned
 * as it is. Errors: NotFoundError for an absent key, ForbiddenError for another organization's.
 */
export async function revokeKey(db: Database, command: RevokeKey): Promise<KeyRecord> {
  const { caller, organizationId, keyId } = command;
  if (!isId('key', keyId)) throw notFound('API key');
  return db.transaction(async (tx) => {
    const owner = await findKeyOwner(tx, keyId);
    if (owner === undefined) throw notFound('API key');
    const anyOrganization = caller.kind === 'operator' && organizationId === '';
    if (!anyOrganization && owner !== organizationId) throw forbidden();
    return revokeOf(tx, caller, owner, keyId, 'api_key.revoked');
  });
}

/** Revokes a key whose owner is known, with its row of the audit log; one that is revoked already stays as it is. */
export async function revokeOf(
  tx: Queryable,
  caller: Caller,
  organizationId: string,
  keyId: string,
  action: string,
): Promise<KeyRecord> {
  const key = await lockKey(tx, organizationId, keyId);
  if (key.revokedAt !== '') return key;
  await appendAudit(tx, {
    auditId: newId('aud'),
    organizationId,
    actorKeyId: caller.keyId,
    action,
    subject: keyId,
    detail: { name: key.name, last_four: key.lastFour },
  });
  return markRevoked(tx, organizationId, keyId);
}
