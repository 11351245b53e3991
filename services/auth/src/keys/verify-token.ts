import { parseToken } from '@parley/contract';
import { badRequest, unauthorized } from '@parley/errors';
import type { TokenHash } from './peppers.rules';
import { findLiveKeys, replaceHashes, type FoundKey, type VerifiedKey } from './verification.cross-tenant.sql';
import type { Dependencies } from './dependencies';

export type { VerifiedKey };

/** Tokens that one read looks up at most. */
const maxTokens = 256;

/**
 * The live key behind a token. UnauthorizedError for a malformed, unknown, revoked or expired one alike; a malformed one
 * costs no look-up.
 */
export async function verifyToken(deps: Pick<Dependencies, 'db' | 'peppers'>, token: string): Promise<VerifiedKey> {
  const [key] = await verifyTokens(deps, [token]);
  if (key === undefined) throw unauthorized();
  return key;
}

/** The live key behind each token, in their order; undefined where `verifyToken` would refuse it. One read for all. */
export async function verifyTokens(
  deps: Pick<Dependencies, 'db' | 'peppers'>,
  tokens: readonly string[],
): Promise<(VerifiedKey | undefined)[]> {
  if (tokens.length > maxTokens) throw badRequest(`tokens: must hold at most ${maxTokens}`);
  const hashes = tokens.map((token) => (parseToken(token) === undefined ? [] : deps.peppers.all(token)));
  if (!hashes.some((ofToken) => ofToken.length > 0)) return tokens.map(() => undefined);
  const found = await findLiveKeys(deps.db, hashes);
  await rehash(deps.db, found, hashes);
  return found.map((one) => one?.key);
}

/** Keys that an earlier pepper hashed are hashed under the current one when they are used, so that it can be given up. What fails is left to the next use. */
async function rehash(
  db: Dependencies['db'],
  found: readonly (FoundKey | undefined)[],
  hashes: readonly (readonly TokenHash[])[],
): Promise<void> {
  const old = found.flatMap((one, nth) => {
    const current = hashes[nth]?.[0];
    return one === undefined || current === undefined || one.hash.pepperVersion === current.pepperVersion
      ? []
      : [{ keyId: one.key.keyId, from: one.hash.hash, to: current }];
  });
  if (old.length > 0) await replaceHashes(db, old).catch(() => undefined);
}
