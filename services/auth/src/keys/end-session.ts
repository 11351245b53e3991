import { conflict } from '@parley/errors';
import type { Caller, ClientOrigin, Database } from '@parley/runtime';
import { getOwnKey } from './read-keys';
import type { KeyRecord } from './key.rules';
import { revokeOf } from './revoke-key';

/**
 * Revokes the session that the request came with. Needs no scope: who has a session may end it.
 * @throws AppError ConflictError for a key that is no session
 */
export async function endSession(
  db: Database,
  { caller, client }: { readonly caller: Caller; readonly client?: ClientOrigin | undefined },
): Promise<KeyRecord> {
  const { sessionOf } = await getOwnKey(db, caller);
  if (sessionOf === '')
    throw conflict('the key of the request is no session; POST /v1/api-keys/{key_id}/revoke revokes keys');
  return db.transaction((tx) =>
    revokeOf(tx, { caller, client }, caller.organizationId, caller.keyId, 'session.revoked'),
  );
}
