import type { Queryable } from '@parley/runtime';
import type { KeyKind } from './clamp-scopes.rules';
import type { KeyRecord } from './key.rules';

/** What is known of a key that is about to be revoked. */
export type EndingKey = Pick<KeyRecord, 'keyId' | 'organizationId' | 'name' | 'lastFour' | 'sessionOf'> & {
  readonly kind: KeyKind;
};

/** Which keys a search returns. */
export interface MintedSearch {
  /** Keys of other organizations are ignored. Empty: of any organization, for what a key of an operator minted. */
  readonly organizationId: string;
  /** Only sessions of this parent key. Empty: keys of all kinds. */
  readonly sessionOf: string;
}

/**
 * Returns the ids of the keys that these keys minted themselves, live or not. The list is complete only if none of `keyIds` can mint any more when the
 * statement starts: if their rows are locked by this transaction, or they were revoked.
 */
export async function findMintedBy(
  tx: Queryable,
  keyIds: readonly string[],
  { organizationId, sessionOf }: MintedSearch,
): Promise<string[]> {
  const { rows } = await tx.query<{ key_id: string }>({
    name: 'find-minted-by',
    text: `select key_id from api_keys
           where created_by = any($1::text[]) and ($2 = '' or organization_id = $2) and ($3 = '' or session_of = $3)`,
    values: [keyIds, organizationId, sessionOf],
  });
  return rows.map(({ key_id: minted }) => minted);
}

/**
 * Locks those of the keys that are not revoked until the transaction ends, in the order of their ids. Waits for keys that are minting or being revoked
 * elsewhere.
 */
export async function lockUnrevoked(tx: Queryable, keyIds: readonly string[]): Promise<EndingKey[]> {
  const { rows } = await tx.query<{
    key_id: string;
    organization_id: string;
    kind: KeyKind;
    name: string;
    last_four: string;
    session_of: string | null;
  }>({
    name: 'lock-unrevoked',
    text: `select key_id, organization_id, kind, name, last_four, session_of from api_keys
           where key_id = any($1::text[]) and revoked_at is null
           order by key_id for update`,
    values: [keyIds],
  });
  return rows.map((row) => ({
    keyId: row.key_id,
    organizationId: row.organization_id,
    kind: row.kind,
    name: row.name,
    lastFour: row.last_four,
    sessionOf: row.session_of ?? '',
  }));
}

/**
 * Revokes locked keys, each under its own new control epoch. All transactions that change the control state share the epoch row, so it is locked last, after
 * all keys, until the commit.
 */
export async function markRevoked(tx: Queryable, keyIds: readonly string[]): Promise<void> {
  await tx.query({
    name: 'mark-revoked',
    text: `with bump as (update control_epoch set epoch = epoch + cardinality($1::text[]) returning epoch - cardinality($1::text[]) as before),
             ended as (select key_id, before + nth as epoch from bump, unnest($1::text[]) with ordinality as given (key_id, nth)),
             change as (insert into control_changes (epoch, kind, subject) select epoch, 'key_revoked', key_id from ended)
           update api_keys set revoked_at = now(), revoked_epoch = ended.epoch from ended
           where api_keys.key_id = ended.key_id and api_keys.key_id = any($1::text[])`,
    values: [keyIds],
  });
}
