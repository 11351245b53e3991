import type { Queryable } from '@parley/runtime';

/** Returns the organization that owns an API key; empty for a platform credential, undefined if there is no such key. */
export async function findKeyOwner(db: Queryable, keyId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'find-key-owner',
    text: `select organization_id from api_keys where key_id = $1 and kind <> 'gateway'`,
    values: [keyId],
  });
  return rows[0]?.organization_id;
}

/** Returns the organization that owns a gateway token; undefined if there is no such token. */
export async function findGatewayTokenOwner(db: Queryable, keyId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'find-gateway-token-owner',
    text: `select organization_id from api_keys where key_id = $1 and kind = 'gateway'`,
    values: [keyId],
  });
  return rows[0]?.organization_id;
}

/**
 * Deletes at most `most` keys that were revoked or expired at least `days` days ago. A key that minted one which is still stored is kept: revoking a key
 * together with those that it minted finds them through the rows between them, so a family is deleted from its youngest keys to its oldest.
 * @returns the number of deleted keys
 */
export async function deleteOldKeys(db: Queryable, days: number, most: number): Promise<number> {
  const { rowCount } = await db.query({
    name: 'delete-old-keys',
    text: `delete from api_keys where key_id in (
             select k.key_id from api_keys k
             where least(k.revoked_at, k.expires_at) < now() - make_interval(days => $1)
               and not exists (select 1 from api_keys minted where minted.created_by = k.key_id offset 0)
             order by k.key_id limit $2 for update of k skip locked)`,
    values: [days, most],
  });
  return rowCount;
}
