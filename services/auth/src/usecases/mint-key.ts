import type { CreatingRequest } from '@parley/service';
import { badRequest } from '@parley/errors';
import { newId, type Caller, type Queryable } from '@parley/runtime';
import { appendAudit } from '../db/audit';
import { insertKey } from '../db/keys';
import { clampScopes } from '../domain/clamp-scopes';
import type { KeyRecord } from '../domain/records';
import { scopeBook } from '../domain/scope-book';
import { lastFourOf, mintToken } from '../domain/token';
import { creatingRecord, type Created } from './creating-record';
import type { Dependencies } from './dependencies';
import { holdMinter, namedOrganization } from './minter';

export interface MintKey {
  readonly caller: Caller;
  readonly organizationId: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** ISO 8601; empty: as long as the minter's key. A later end than that one's is brought forward to it. */
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
      const minter = await holdMinter(tx, command.caller, command.organizationId);
      const scopes = clampScopes(command.scopes, minter, scopeBook);
      await namedOrganization(tx, minter, command.organizationId);
      token = mintToken('tai_', deps.random);
      const key = inTheFuture(
        await insertKey(tx, command.organizationId, {
          keyId: newId('key'),
          kind: 'customer',
          name: command.name,
          scopes,
          token: deps.peppers.current(token),
          lastFour: lastFourOf(token),
          createdBy: command.caller.keyId,
          expiresAt: command.expiresAt,
          notBeyond: minter.expiresAt,
        }),
      );
      await auditMint(tx, command, key);
      return key;
    },
    idOf: (key) => key.keyId,
  });
  return { ...created, token: created.replayed ? '' : token };
}

/** A new key that is over already was asked for in error: the transaction takes it back. */
export function inTheFuture(key: KeyRecord): KeyRecord {
  if (key.expiresAt !== '' && key.expiresAt <= key.createdAt) throw badRequest('expires_at: must be in the future');
  return key;
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
