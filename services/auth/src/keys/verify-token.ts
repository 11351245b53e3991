import { parseToken } from '@parley/contract';
import { badRequest, unauthorized } from '@parley/errors';
import type { TokenHash } from './peppers.rules';
import { findLiveKeys, replaceHashes, type FoundKey, type VerifiedKey } from './verification.cross-tenant.sql';
import type { Dependencies } from './dependencies';

export type { VerifiedKey };

/** Maximum number of tokens per read. */
const maxTokens = 256;

/**
 * Returns the live key of a token. A malformed token is rejected without a look-up.
 * @throws UnauthorizedError, the same for a malformed, unknown, revoked or expired token
 */
export async function verifyToken(deps: Pick<Dependencies, 'db' | 'peppers'>, token: string): Promise<VerifiedKey> {
  const [key] = await verifyTokens(deps, [token]);
  if (key === undefined) throw unauthorized();
  return key;
}

/** Returns the live key of each token in the same order; undefined if `verifyToken` would refuse it. Uses one read for all. */
export async function verifyTokens(
  deps: Pick<Dependencies, 'db' | 'peppers'>,
  tokens: readonly string[],
): Promise<(VerifiedKey | undefined)[]> {
  if (tokens.length > maxTokens) throw badRequest(`tokens: must contain at most ${maxTokens}`);
  const hashes = tokens.map((token) => (parseToken(token) === undefined ? [] : deps.peppers.all(token)));
  if (!hashes.some((ofToken) => ofToken.length > 0)) return tokens.map(() => undefined);
  const found = await findLiveKeys(deps.db, hashes);
  await rehash(deps.db, found, hashes);
  return found.map((one) => one?.key);
}

/** Hashes tokens under the current pepper when they are used, so that an earlier pepper can be removed eventually. If this fails, the next use tries again. */
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
