import { timingSafeEqual } from 'node:crypto';
import type { KeyKind } from './clamp-scopes.rules';
import type { TokenHash } from './peppers.rules';
import type { LiveKey } from './key.rules';
import { sharedLimitsOf, type StoredSharedLimit } from './shared-limits.rules';
import type { Queryable } from '@parley/runtime';

export interface VerifiedKey extends LiveKey {
  /** The deployment name of a gateway token, stored as the record's name; '' for any other key. */
  readonly deployment: string;
  /** The id of a session's parent key; '' for other keys. */
  readonly sessionOf: string;
  /** Milliseconds since 1970; 0: never. */
  readonly expiresAtMs: number;
  /** The control epoch at which the key was live, from the same snapshot. */
  readonly epoch: string;
}

/** A live key and the stored hash of its token. */
export interface FoundKey {
  readonly key: VerifiedKey;
  readonly hash: TokenHash;
}

interface VerifiedRow {
  readonly key_id: string;
  readonly organization_id: string;
  readonly kind: KeyKind;
  readonly name: string;
  readonly scopes: string[];
  readonly token_hash: Buffer;
  readonly pepper_version: number;
  readonly expires_at: Date | null;
  readonly allowed_cidrs: string[];
  readonly requests_per_minute: number | null;
  readonly shared_limits: StoredSharedLimit[];
  readonly session_of: string | null;
  readonly root_key_id: string;
  readonly epoch: string;
}

/**
 * Finds the live key of each token with one indexed read. `hashes` contains the hashes of each token under every pepper; the results are in the same order,
 * undefined for a token without a live key. The organization is not known yet: the token identifies the caller. The index compares keyed hashes, so its timing
 * reveals nothing about a token; the final comparison takes constant time.
 */
export async function findLiveKeys(
  db: Queryable,
  hashes: readonly (readonly TokenHash[])[],
): Promise<(FoundKey | undefined)[]> {
  const { rows } = await db.query<VerifiedRow>({
    name: 'find-live-keys',
    text: `select key_id, organization_id, kind, name, scopes, token_hash, pepper_version, expires_at, allowed_cidrs, requests_per_minute, shared_limits,
             session_of, coalesce(root_key_id, session_of, key_id) as root_key_id,
             (select epoch from control_epoch)::text as epoch
           from api_keys
           where token_hash = any($1::bytea[]) and revoked_at is null and (expires_at is null or expires_at > now())`,
    values: [hashes.flat().map(({ hash }) => hash)],
  });
  return hashes.map((ofToken) => {
    for (const row of rows) {
      const hash = ofToken.find((own) => isSame(own, row));
      if (hash !== undefined) return { key: keyOfRow(row), hash };
    }
    return undefined;
  });
}

/** Replaces the hashes that were found by other hashes of the same tokens. Rows are locked in a fixed order, and rows that are locked elsewhere are skipped. */
export async function replaceHashes(
  db: Queryable,
  replaced: readonly { readonly keyId: string; readonly from: Buffer; readonly to: TokenHash }[],
): Promise<void> {
  await db.query({
    name: 'replace-token-hashes',
    text: `update api_keys set token_hash = other.hash, pepper_version = other.version
           from unnest($1::text[], $2::bytea[], $3::bytea[], $4::integer[]) as other (key_id, found, hash, version)
           where api_keys.key_id = other.key_id and api_keys.token_hash = other.found and api_keys.key_id in (
             select key_id from api_keys where key_id = any($1) order by key_id for no key update skip locked)`,
    values: [
      replaced.map(({ keyId }) => keyId),
      replaced.map(({ from }) => from),
      replaced.map(({ to }) => to.hash),
      replaced.map(({ to }) => to.pepperVersion),
    ],
  });
}

const keyOfRow = (row: VerifiedRow): VerifiedKey => ({
  keyId: row.key_id,
  organizationId: row.organization_id,
  kind: row.kind,
  deployment: row.kind === 'gateway' ? row.name : '',
  scopes: row.scopes,
  allowedCidrs: row.allowed_cidrs,
  requestsPerMinute: row.requests_per_minute ?? 0,
  sharedLimits: sharedLimitsOf(row.shared_limits),
  sessionOf: row.session_of ?? '',
  rootKeyId: row.root_key_id,
  expiresAtMs: row.expires_at?.getTime() ?? 0,
  epoch: row.epoch,
});

const isSame = (own: TokenHash, row: VerifiedRow): boolean =>
  own.pepperVersion === row.pepper_version &&
  own.hash.length === row.token_hash.length &&
  timingSafeEqual(own.hash, row.token_hash);

/**
 * Records that keys were used, with one statement for many keys of any organization. Skips keys that were recorded less than 5 seconds ago or that another
 * replica is writing. An empty address is unknown and keeps the previous one. Replicas lock rows in the same order, so they never deadlock.
 */
export async function writeLastUsed(db: Queryable, uses: ReadonlyMap<string, string>): Promise<void> {
  await db.query({
    name: 'write-last-used',
    text: `update api_keys set last_used_at = now(), last_used_address = coalesce(nullif(used.address, ''), last_used_address)
           from unnest($1::text[], $2::text[]) as used (key_id, address)
           where api_keys.key_id = used.key_id and api_keys.key_id in (
             select key_id from api_keys
             where key_id = any($1) and (last_used_at is null or last_used_at < now() - interval '5 seconds')
             order by key_id for no key update skip locked)`,
    values: [[...uses.keys()], [...uses.values()]],
  });
}
