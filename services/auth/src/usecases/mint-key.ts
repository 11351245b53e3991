import type { CreatingRequest } from '@parley/idempotency';
import { badRequest, forbidden, notFound, unauthorized } from '@parley/errors';
import { isId, newId, type Caller, type Queryable } from '@parley/runtime';
import { appendAudit } from '../db/audit';
import { holdLiveKey, insertKey } from '../db/keys';
import { organizationExists } from '../db/organizations';
import { clampScopes } from '../domain/clamp-scopes';
import type { KeyRecord } from '../domain/records';
import { scopeBook } from '../domain/scope-book';
import { lastFourOf, mintToken } from '../domain/token';
import { creatingRecord, type Created } from './creating-record';
import type { Dependencies } from './dependencies';

export interface MintKey {
  readonly caller: Caller;
  readonly organizationId: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** ISO 8601; empty: never. */
  readonly expiresAt: string;
}

export interface MintedKey extends Created<KeyRecord> {
  /** Shown once: empty for a replay. */
  readonly token: string;
}

/**
 * Mints a customer key (section 5 rules 3 to 6). `check` gives the validated command; it runs after the look-up of the
 * Idempotency-Key. Errors: UnauthorizedError when the minter's key is no longer live, BadRequestError for an unknown
 * scope or a past expiry, ForbiddenError by the clamping rules or for another organization, NotFoundError when an
 * operator names an organization that does not exist.
 */
export async function mintKey(deps: Dependencies, request: CreatingRequest, check: () => MintKey): Promise<MintedKey> {
  let token = '';
  const created = await creatingRecord(deps.db, request, {
    check,
    work: async (tx, command) => {
      const scopes = await grantedScopes(tx, command);
      token = mintToken('tai_', deps.random);
      const key = await insertKey(tx, command.organizationId, {
        keyId: newId('key'),
        kind: 'customer',
        name: command.name,
        scopes,
        token: deps.peppers.current(token),
        lastFour: lastFourOf(token),
        createdBy: command.caller.keyId,
        expiresAt: command.expiresAt,
      });
      if (key.expiresAt !== '' && key.expiresAt <= key.createdAt) throw badRequest('expires_at: must be in the future');
      await auditMint(tx, command, key);
      return key;
    },
    idOf: (key) => key.keyId,
  });
  return { ...created, token: created.replayed ? '' : token };
}

/** Judged by the minter's key as it stands in this transaction, not by what the caller was verified with. */
async function grantedScopes(tx: Queryable, command: MintKey): Promise<string[]> {
  const minter = await holdLiveKey(tx, command.caller.organizationId, command.caller.keyId);
  if (minter === undefined) throw unauthorized();
  const ownOnly = minter.kind !== 'operator';
  if (ownOnly && minter.organizationId !== command.organizationId) throw forbidden();
  const scopes = clampScopes(command.scopes, minter, scopeBook);
  if (ownOnly) return scopes;
  const exists = isId('org', command.organizationId) && (await organizationExists(tx, command.organizationId));
  if (!exists) throw notFound('organization');
  return scopes;
}

const auditMint = (tx: Queryable, command: MintKey, key: KeyRecord): Promise<void> =>
  appendAudit(tx, {
    auditId: newId('aud'),
    organizationId: command.organizationId,
    actorKeyId: command.caller.keyId,
    action: 'api_key.minted',
    subject: key.keyId,
    detail: { name: key.name, scopes: key.scopes, requested_scopes: command.scopes, expires_at: key.expiresAt || null },
  });
