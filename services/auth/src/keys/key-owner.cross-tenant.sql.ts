import type { Queryable } from '@parley/runtime';

/** Which organization owns an API key; empty for a platform credential, undefined when there is no such key. */
export async function findKeyOwner(db: Queryable, keyId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'find-key-owner',
    text: `select organization_id from api_keys where key_id = $1 and kind <> 'gateway'`,
    values: [keyId],
  });
  return rows[0]?.organization_id;
}

/** Which organization owns a gateway token; undefined when there is no such token. */
export async function findGatewayTokenOwner(db: Queryable, keyId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'find-gateway-token-owner',
    text: `select organization_id from api_keys where key_id = $1 and kind = 'gateway'`,
    values: [keyId],
  });
  return rows[0]?.organization_id;
}
