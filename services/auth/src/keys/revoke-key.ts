import { forbidden, notFound } from '@parley/errors';
import { isId, type Caller, type ClientOrigin, type Database, type Queryable } from '@parley/runtime';
import type { AuditActor } from '@parley/service';
import { appendAudit } from '../audit';
import { lockKey, markRevoked } from './keys.sql';
import { findKeyOwner } from './key-owner.cross-tenant.sql';
import type { KeyRecord } from './key.rules';

export interface RevokeKey {
  readonly caller: Caller;
  readonly client?: ClientOrigin | undefined;
  /** Empty for an operator who named none: any organization. */
  readonly organizationId: string;
  readonly keyId: string;
}

/**
 * Revokes a key; every replica obeys within a second (decisions section 3). A key that is revoked already is returned
 * as it is. Errors: NotFoundError for an absent key, ForbiddenError for another organization's.
 */
export async function revokeKey(db: Database, command: RevokeKey): Promise<KeyRecord> {
  const { caller, client, organizationId, keyId } = command;
  if (!isId('key', keyId)) throw notFound('API key');
  return db.transaction(async (tx) => {
    const owner = await findKeyOwner(tx, keyId);
    if (owner === undefined) throw notFound('API key');
    const anyOrganization = caller.kind === 'operator' && organizationId === '';
    if (!anyOrganization && owner !== organizationId) throw forbidden();
    return revokeOf(tx, { caller, client }, owner, keyId, 'api_key.revoked');
  });
}

/** Revokes a key whose owner is known, with its row of the audit log; one that is revoked already stays as it is. */
export async function revokeOf(
  tx: Queryable,
  actor: AuditActor,
  organizationId: string,
  keyId: string,
  action: string,
): Promise<KeyRecord> {
  const key = await lockKey(tx, organizationId, keyId);
  if (key.revokedAt !== '') return key;
  const act = { organizationId, action, subject: keyId, detail: { name: key.name, last_four: key.lastFour } };
  await appendAudit(tx, act, actor);
  return markRevoked(tx, organizationId, keyId);
}
