import type { CreatingRequest } from '@parley/service';
import { liesWithin } from '@parley/contract';
import { badRequest, forbidden } from '@parley/errors';
import { newId, type Caller, type ClientOrigin, type Queryable } from '@parley/runtime';
import { appendAudit } from '../audit';
import { insertKey } from './keys.sql';
import { clampScopes } from './clamp-scopes.rules';
import type { KeyRecord } from './key.rules';
import { limitsSharedBy, rootUnder } from './shared-limits.rules';
import { scopeCatalog } from './scope-catalog.rules';
import { lastFourOf, mintToken } from './token.rules';
import { creatingRecord, type Created } from '../creating-record';
import type { Dependencies } from './dependencies';
import { lockIssuerKey, assertOrganizationExists } from './issuer';

export interface MintKey {
  readonly caller: Caller;
  readonly client?: ClientOrigin | undefined;
  readonly organizationId: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** Empty: the addresses of the issuer's key. */
  readonly allowedCidrs: readonly string[];
  /** 0: the limit of the issuer's key. */
  readonly requestsPerMinute: number;
  /** ISO 8601; empty: the expiry of the issuer's key. A later expiry is reduced to that of the issuer's key. */
  readonly expiresAt: string;
}

export interface MintedKey extends Created<KeyRecord> {
  /** Returned once; empty for a replay. */
  readonly token: string;
}

/**
 * Mints a customer key (docs/reference/keys.md). `check` returns the validated command; it runs after the look-up of the Idempotency-Key.
 * @throws UnauthorizedError if the issuer's key is no longer live; BadRequestError for an unknown scope or an expiry in the past; ForbiddenError by the
 * clamping rules, for another organization, and if the new key would share too many limits; NotFoundError if an operator names an organization that does not exist
 */
export async function mintKey(deps: Dependencies, request: CreatingRequest, check: () => MintKey): Promise<MintedKey> {
  let token = '';
  const created = await creatingRecord(deps.db, request, {
    check,
    work: async (tx, command) => {
      const issuer = await lockIssuerKey(tx, command.caller, command.organizationId);
      const scopes = clampScopes(command.scopes, issuer, scopeCatalog);
      await assertOrganizationExists(tx, issuer, command.organizationId);
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
          maxExpiresAt: issuer.expiresAt,
          allowedCidrs: withinIssuer(command.allowedCidrs, issuer.allowedCidrs),
          requestsPerMinute: atMost(command.requestsPerMinute, issuer.requestsPerMinute),
          sharedLimits: limitsSharedBy(issuer),
          rootKeyId: rootUnder(issuer, command.organizationId),
        }),
      );
      await auditMint(tx, command, key);
      return key;
    },
    idOf: (key) => key.keyId,
  });
  return { ...created, token: created.replayed ? '' : token };
}

/** A key that is restricted to addresses can mint only keys that are restricted to the same or fewer. @throws AppError ForbiddenError */
function withinIssuer(asked: readonly string[], own: readonly string[]): readonly string[] {
  if (own.length === 0) return asked;
  if (asked.length === 0) return own;
  if (!asked.every((cidr) => liesWithin(cidr, own)))
    throw forbidden('allowed_cidrs: must be within the ranges of the key that creates it');
  return asked;
}

/** The lower of two limits; 0 means no limit. */
const atMost = (asked: number, own: number): number => (asked === 0 || own === 0 ? asked + own : Math.min(asked, own));

/** Rejects a new key that is already expired: the error rolls the transaction back. */
export function inTheFuture(key: KeyRecord): KeyRecord {
  if (key.expiresAt !== '' && key.expiresAt <= key.createdAt) throw badRequest('expires_at: must be in the future');
  return key;
}

function auditMint(
  tx: Queryable,
  command: MintKey,
  { keyId, name, scopes, expiresAt, allowedCidrs, requestsPerMinute }: KeyRecord,
): Promise<void> {
  const { organizationId, scopes: requested } = command;
  const detail = {
    name,
    scopes,
    requested_scopes: requested,
    expires_at: expiresAt || null,
    allowed_cidrs: allowedCidrs,
    requests_per_minute: requestsPerMinute || null,
  };
  return appendAudit(tx, { organizationId, action: 'api_key.minted', subject: keyId, detail }, command);
}
