import { timingSafeEqual } from 'node:crypto';
import type { KeyKind } from './clamp-scopes.rules';
import type { TokenHash } from './peppers.rules';
import type { LiveKey } from './key.rules';
import type { Queryable } from '@parley/runtime';

export interface VerifiedKey extends LiveKey {
  /** Of a gateway token, whose record's name it is; '' for any other key. */
  readonly deployment: string;
  /** Milliseconds since 1970; 0 for never. */
  readonly expiresAtMs: number;
  /** The control epoch at which the key was live, from the same snapshot. */
  readonly epoch: string;
}

/** A live key and the hash of its token under which it is stored. */
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
  readonly epoch: string;
}

/**
 * The live key of each token by one indexed read; `hashes` are a token's under every pepper, and the answer is in their order, undefined
 * where there is none. An owner look-up: the token says who asks. The index compares keyed hashes, whose timing says nothing of a
 * token; the last comparison takes constant time.
 */
export async function findLiveKeys(
  db: Queryable,
  hashes: readonly (readonly TokenHash[])[],
): Promise<(FoundKey | undefined)[]> {
  const { rows } = await db.query<VerifiedRow>({
    name: 'find-live-keys',
    text: `select key_id, organization_id, kind, name, scopes, token_hash, pepper_version, expires_at, allowed_cidrs, requests_per_minute,
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

/** Puts other hashes of the same tokens in the place of those that were found. One order of locks, and none is waited for. */
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
  expiresAtMs: row.expires_at?.getTime() ?? 0,
  epoch: row.epoch,
});

const isSame = (own: TokenHash, row: VerifiedRow): boolean =>
  own.pepperVersion === row.pepper_version &&
  own.hash.length === row.token_hash.length &&
  timingSafeEqual(own.hash, row.token_hash);

/**
 * Notes that keys were used: one statement for many, across organizations, and none for a key
 * noted a moment ago or being written by another replica. An empty address is not known, and leaves the one before. Replicas lock in one order, so that they never deadlock.
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
