import type { CreatingRequest } from '@parley/service';
import { type Caller, type ClientOrigin, type Database, newId } from '@parley/runtime';
import { conflict } from '@parley/errors';
import { appendAudit } from '../audit';
import { creatingRecord } from '../creating-record';
import type { Dependencies } from './dependencies';
import { insertKey } from './keys.sql';
import type { MintedKey } from './mint-key';
import { lockIssuerKey } from './issuer';
import { lastFourOf, mintToken } from './token.rules';
import { getOwnKey } from './read-keys';
import type { KeyRecord } from './key.rules';
import { revokeOf } from './revoke-key';

/**
 * Creates a session: a key that is valid for at most twelve hours, with the scopes, addresses and expiry of the caller's key. It is listed and revoked like
 * other keys; revoking its parent key revokes it too. A session that is created from a session has the same parent key, and ends with either of them.
 * @throws AppError UnauthorizedError if the caller's key is no longer live
 */
export async function createSession(
  deps: Dependencies,
  request: CreatingRequest,
  { caller, client }: { readonly caller: Caller; readonly client?: ClientOrigin | undefined },
): Promise<MintedKey> {
  let token = '';
  const created = await creatingRecord(deps.db, request, {
    check: () => ({ caller, client }),
    work: async (tx, command) => {
      const { organizationId, keyId } = command.caller;
      const issuer = await lockIssuerKey(tx, command.caller, organizationId);
      token = mintToken('tai_', deps.random);
      const session = await insertKey(tx, organizationId, {
        keyId: newId('key'),
        kind: issuer.kind,
        name: 'session',
        scopes: issuer.scopes,
        token: deps.peppers.current(token),
        lastFour: lastFourOf(token),
        createdBy: keyId,
        expiresAt: '',
        maxExpiresAt: issuer.expiresAt,
        allowedCidrs: issuer.allowedCidrs,
        requestsPerMinute: issuer.requestsPerMinute,
        sharedLimits: issuer.sharedLimits,
        rootKeyId: issuer.rootKeyId,
        sessionOf: issuer.sessionOf === '' ? keyId : issuer.sessionOf,
      });
      const detail = { expires_at: session.expiresAt, session_of: session.sessionOf };
      await appendAudit(tx, { organizationId, action: 'session.created', subject: session.keyId, detail }, command);
      return session;
    },
    idOf: (session) => session.keyId,
  });
  return { ...created, token: created.replayed ? '' : token };
}

/**
 * Revokes the session that sent the request, and those that it created. Needs no scope.
 * @throws AppError ConflictError if the key is not a session
 */
export async function endSession(
  db: Database,
  { caller, client }: { readonly caller: Caller; readonly client?: ClientOrigin | undefined },
): Promise<KeyRecord> {
  const { sessionOf } = await getOwnKey(db, caller);
  if (sessionOf === '')
    throw conflict('the key of the request is not a session; POST /v1/api-keys/{key_id}/revoke revokes keys');
  return db.transaction((tx) =>
    revokeOf(tx, { caller, client }, caller.organizationId, caller.keyId, 'session.revoked'),
  );
}
