import { forbidden, missingScope, notFound } from '@parley/errors';
import { isId, type Caller, type ClientOrigin, type Database, type Queryable } from '@parley/runtime';
import type { AuditActor } from '@parley/service';
import { appendAudits } from '../audit';
import { lockKey } from './keys.sql';
import { findKeyOwner, findGatewayTokenOwner } from './key-owner.cross-tenant.sql';
import { findMintedBy, lockUnrevoked, markRevoked, type EndingKey } from './revocation.cross-tenant.sql';
import { scopeCatalog } from './scope-catalog.rules';
import type { KeyRecord } from './key.rules';

export interface RevokeKey {
  readonly caller: Caller;
  readonly client?: ClientOrigin | undefined;
  /** Empty if an operator named no organization: the key may belong to any. */
  readonly organizationId: string;
  readonly keyId: string;
  /** Whether the keys that it minted, directly or through other keys, are revoked too: for a key of an operator, in every organization. Default: false. */
  readonly cascade?: boolean;
}

/**
 * Revokes a key. Every replica applies this within a second (docs/reference/keys.md). A key that is already revoked is returned unchanged.
 * @throws NotFoundError if the key does not exist; ForbiddenError if it belongs to another organization or holds more scopes than the caller
 */
export async function revokeKey(db: Database, command: RevokeKey): Promise<KeyRecord> {
  const { caller, client, organizationId, keyId, cascade } = command;
  if (!isId('key', keyId)) throw notFound('API key');
  return db.transaction(async (tx) => {
    const owner = await findKeyOwner(tx, keyId);
    if (owner === undefined) throw notFound('API key');
    const anyOrganization = caller.kind === 'operator' && organizationId === '';
    if (!anyOrganization && owner !== organizationId) throw forbidden();
    refuseStronger(caller, await lockKey(tx, owner, keyId));
    return revokeOf(tx, { caller, client }, owner, keyId, 'api_key.revoked', cascade);
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

/**
 * Revokes a key of a known organization, and the keys that end with it: its sessions or, with `cascade`, all keys that it minted, directly or through other
 * keys. Each gets an audit entry in its own organization. A key that is already revoked stays unchanged; with `cascade` the keys that it minted are still
 * revoked.
 * @param action of the audit entry of the key itself
 */
export async function revokeOf(
  tx: Queryable,
  actor: AuditActor,
  organizationId: string,
  keyId: string,
  action: string,
  cascade = false,
): Promise<KeyRecord> {
  const key = await lockKey(tx, organizationId, keyId);
  const isRevoked = key.revokedAt !== '';
  if (isRevoked && !cascade) return key;
  const minted = await lockMintedBy(tx, key, cascade);
  const ended = [
    ...(isRevoked ? [] : [{ ...key, action }]),
    ...minted.map((one) => ({ ...one, action: revocationOf(one) })),
  ];
  if (ended.length === 0) return key;
  const acts = ended.map((one) => ({
    organizationId: one.organizationId,
    action: one.action,
    subject: one.keyId,
    detail: { name: one.name, last_four: one.lastFour },
  }));
  await appendAudits(tx, acts, actor);
  await markRevoked(
    tx,
    ended.map((one) => one.keyId),
  );
  return lockKey(tx, organizationId, keyId);
}

/**
 * Locks what ends with a locked key and is not revoked: with `cascade` all keys that it minted, directly or through other keys, otherwise only the sessions
 * among them that have the same parent key, or whose parent key it is.
 *
 * A key that is minting is locked by that transaction (`holdLiveKey`), and what it mints can be seen only after the commit. So the keys are locked from each
 * parent to what it minted, and each search concerns only keys that cannot mint any more: it began after they were locked, or they were revoked. Concurrent
 * revocations do not deadlock, because all of them lock in this order, by ids among the keys of one generation, and none of them locks the epoch row before
 * its last key.
 */
async function lockMintedBy(tx: Queryable, key: KeyRecord, cascade: boolean): Promise<EndingKey[]> {
  const search = {
    organizationId: key.organizationId,
    sessionOf: cascade ? '' : key.sessionOf || key.keyId,
  };
  const locked: EndingKey[] = [];
  let generation = await findMintedBy(tx, [key.keyId], search);
  while (generation.length > 0) {
    locked.push(...(await lockUnrevoked(tx, generation)));
    // Those that are revoked already stay in the list: they may have minted keys that are live.
    generation = await findMintedBy(tx, generation, search);
  }
  return locked;
}

/** The action in the audit entry of a key that is revoked because another one is. */
const revocationOf = ({ kind, sessionOf }: EndingKey): string => {
  if (sessionOf !== '') return 'session.revoked';
  return kind === 'gateway' ? 'gateway_token.revoked' : 'api_key.revoked';
};

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
