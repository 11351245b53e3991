import { forbidden, missingScope, notFound } from '@parley/errors';
import { isId, type Caller, type ClientOrigin, type Database, type Queryable } from '@parley/runtime';
import type { AuditActor } from '@parley/service';
import { appendAudit } from '../audit';
import { lockKey, lockMintedBy, lockSessionsOf, markRevoked } from './keys.sql';
import { findKeyOwner, findGatewayTokenOwner } from './key-owner.cross-tenant.sql';
import { scopeCatalog } from './scope-catalog.rules';
import type { KeyRecord } from './key.rules';

export interface RevokeKey {
  readonly caller: Caller;
  readonly client?: ClientOrigin | undefined;
  /** Empty if an operator named no organization: the key may belong to any. */
  readonly organizationId: string;
  readonly keyId: string;
  /** Whether the keys that it minted are revoked too. */
  readonly cascade?: boolean;
}

/**
 * Revokes a key. Every replica applies this within a second (docs/reference/keys.md). A key that is already revoked is returned unchanged.
 * @throws NotFoundError if the key does not exist; ForbiddenError if it belongs to another organization or holds more scopes than the caller
 */
export async function revokeKey(db: Database, command: RevokeKey): Promise<KeyRecord> {
  const { caller, client, organizationId, keyId, cascade = false } = command;
  if (!isId('key', keyId)) throw notFound('API key');
  return db.transaction(async (tx) => {
    const owner = await findKeyOwner(tx, keyId);
    if (owner === undefined) throw notFound('API key');
    const anyOrganization = caller.kind === 'operator' && organizationId === '';
    if (!anyOrganization && owner !== organizationId) throw forbidden();
    refuseStronger(caller, await lockKey(tx, owner, keyId));
    const minted = cascade ? await lockMintedBy(tx, owner, keyId) : [];
    const revoked = await revokeOf(tx, { caller, client }, owner, keyId, 'api_key.revoked');
    for (const child of minted) await revokeOf(tx, { caller, client }, owner, child, 'api_key.revoked');
    return revoked;
  });
}

/** Otherwise a key could revoke stronger ones and lock its organization out. Every key may revoke itself, and operators may revoke every key. */
function refuseStronger(caller: Caller, key: KeyRecord): void {
  if (caller.kind === 'operator' || caller.keyId === key.keyId) return;
  const held = new Set(scopeCatalog.expand(caller.scopes));
  // Only customer scopes are compared: customers do not hold the scopes that operators grant to workers, but may revoke such keys.
  const more = scopeCatalog.expand(key.scopes).find((scope) => scopeCatalog.isCustomer(scope) && !held.has(scope));
  if (more !== undefined) throw missingScope(more);
}

/** Revokes a key of a known organization, and the sessions that end with it, with an audit entry for each. A key that is already revoked stays unchanged. */
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
  for (const session of await lockSessionsOf(tx, organizationId, key)) {
    await revokeOf(tx, actor, organizationId, session, 'session.revoked');
  }
  return markRevoked(tx, organizationId, keyId);
}

/** Revokes a gateway token like a key. @throws NotFoundError if it does not exist or belongs to another organization */
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
