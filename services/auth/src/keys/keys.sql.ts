import type { Queryable } from '@parley/runtime';
import type { KeyKind } from './clamp-scopes.rules';
import type { TokenHash } from './peppers.rules';
import type { KeyRecord, LiveKey } from './key.rules';
import { sharedLimitsOf, storedSharedLimits, type SharedLimit, type StoredSharedLimit } from './shared-limits.rules';
import { onlyRow, timeText, type PageBefore } from '../rows.rules';

interface KeyRow {
  readonly key_id: string;
  readonly organization_id: string;
  readonly name: string;
  readonly scopes: string[];
  readonly last_four: string;
  readonly created_by: string;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly last_used_at: Date | null;
  readonly allowed_cidrs: string[];
  readonly session_of: string | null;
  readonly requests_per_minute: number | null;
  readonly last_used_address: string | null;
}

const columns = `key_id, organization_id, name, scopes, last_four, created_by,
  created_at, expires_at, revoked_at, last_used_at, allowed_cidrs, session_of, requests_per_minute, last_used_address`;

const recordOf = (row: KeyRow): KeyRecord => ({
  keyId: row.key_id,
  organizationId: row.organization_id,
  name: row.name,
  scopes: row.scopes,
  lastFour: row.last_four,
  createdBy: row.created_by,
  createdAt: timeText(row.created_at),
  expiresAt: timeText(row.expires_at),
  revokedAt: timeText(row.revoked_at),
  lastUsedAt: timeText(row.last_used_at),
  allowedCidrs: row.allowed_cidrs,
  sessionOf: row.session_of ?? '',
  requestsPerMinute: row.requests_per_minute ?? 0,
  lastUsedAddress: row.last_used_address ?? '',
});

export interface NewKey {
  readonly keyId: string;
  readonly kind: KeyKind;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly token: TokenHash;
  readonly lastFour: string;
  readonly createdBy: string;
  /** Empty: never. */
  readonly expiresAt: string;
  /** The expiry of the issuer's key, which the new key cannot outlive; empty if that key does not expire. */
  readonly maxExpiresAt: string;
  /** Empty: any address. */
  readonly allowedCidrs: readonly string[];
  /** 0: no limit for this key. */
  readonly requestsPerMinute: number;
  /** See LiveKey; absent: none. */
  readonly sharedLimits?: readonly SharedLimit[];
  /** The id of a session's parent key; absent for other keys. */
  readonly sessionOf?: string;
  /** See LiveKey; absent: the key itself. */
  readonly rootKeyId?: string | undefined;
}

/** The key that mints another one. */
export interface IssuerKey extends LiveKey {
  /** The id of a session's parent key; empty for other keys. */
  readonly sessionOf: string;
  /** Empty: never. */
  readonly expiresAt: string;
}

export async function insertKey(tx: Queryable, organizationId: string, key: NewKey): Promise<KeyRecord> {
  const result = await tx.query<KeyRow>({
    name: 'insert-key',
    text: `insert into api_keys (organization_id, key_id, kind, name, scopes, token_hash, pepper_version, last_four,
             created_by, allowed_cidrs, session_of, requests_per_minute, shared_limits, root_key_id, expires_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9,
             $12, $13, nullif($14::integer, 0), $15::jsonb, $16, least(nullif($10, '')::timestamptz, nullif($11, '')::timestamptz,
               case when $13::text is not null then now() + interval '12 hours' end))
           returning ${columns}`,
    values: [
      organizationId,
      key.keyId,
      key.kind,
      key.name,
      key.scopes,
      key.token.hash,
      key.token.pepperVersion,
      key.lastFour,
      key.createdBy,
      key.expiresAt,
      key.maxExpiresAt,
      key.allowedCidrs,
      key.sessionOf ?? null,
      key.requestsPerMinute,
      JSON.stringify(storedSharedLimits(key.sharedLimits ?? [])),
      key.rootKeyId ?? null,
    ],
  });
  return recordOf(onlyRow(result));
}

/**
 * Reads the issuer's key and locks its row until the transaction ends, so that it cannot be revoked concurrently. `organizationId` is empty for a platform
 * credential.
 * @returns undefined if the key is not live
 */
export async function holdLiveKey(
  tx: Queryable,
  organizationId: string,
  keyId: string,
): Promise<IssuerKey | undefined> {
  const { rows } = await tx.query<
    Pick<KeyRow, 'scopes' | 'expires_at' | 'allowed_cidrs' | 'session_of' | 'requests_per_minute'> & {
      kind: KeyKind;
      shared_limits: StoredSharedLimit[];
      root_key_id: string;
    }
  >({
    name: 'hold-live-key',
    text: `select kind, scopes, expires_at, allowed_cidrs, session_of, requests_per_minute, shared_limits,
             coalesce(root_key_id, session_of, key_id) as root_key_id from api_keys
           where organization_id = $1 and key_id = $2
             and revoked_at is null and (expires_at is null or expires_at > now())
           for share`,
    values: [organizationId, keyId],
  });
  const [row] = rows;
  if (row === undefined) return undefined;
  const { kind, scopes, allowed_cidrs: allowedCidrs } = row;
  const sessionOf = row.session_of ?? '';
  const requestsPerMinute = row.requests_per_minute ?? 0;
  const expiresAt = timeText(row.expires_at);
  const sharedLimits = sharedLimitsOf(row.shared_limits);
  const rootKeyId = row.root_key_id;
  return {
    ...{ keyId, organizationId, kind, scopes, allowedCidrs, requestsPerMinute },
    ...{ sharedLimits, sessionOf, expiresAt, rootKeyId },
  };
}

/** Locks a key that is about to be revoked. */
export async function lockKey(tx: Queryable, organizationId: string, keyId: string): Promise<KeyRecord> {
  const result = await tx.query<KeyRow>({
    name: 'lock-key',
    text: `select ${columns} from api_keys where organization_id = $1 and key_id = $2 for update`,
    values: [organizationId, keyId],
  });
  return recordOf(onlyRow(result));
}

/** Returns a key, live or not; undefined if it is of another kind or organization. */
export async function findKey(
  db: Queryable,
  organizationId: string,
  kinds: readonly KeyKind[],
  keyId: string,
): Promise<KeyRecord | undefined> {
  const { rows } = await db.query<KeyRow>({
    name: 'find-key',
    text: `select ${columns} from api_keys
           where organization_id = $1 and key_id = $2 and kind = any($3::text[])`,
    values: [organizationId, keyId, kinds],
  });
  return rows[0] && recordOf(rows[0]);
}

/** Lists keys of one kind: a list of API keys does not contain gateway tokens. */
export async function listKeys(
  db: Queryable,
  organizationId: string,
  kind: KeyKind,
  page: PageBefore,
): Promise<KeyRecord[]> {
  const { rows } = await db.query<KeyRow>({
    name: 'list-keys',
    text: `select ${columns} from api_keys
           where organization_id = $1 and kind = $5 and (created_at, key_id) < ($2::timestamptz, $3)
           order by created_at desc, key_id desc limit $4::integer + 1`,
    values: [organizationId, page.createdBefore, page.idBefore, page.limit, kind],
  });
  return rows.map(recordOf);
}
