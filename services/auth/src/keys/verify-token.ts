import { parseToken } from '@parley/contract';
import { badRequest, unauthorized } from '@parley/errors';
import { findLiveKeys, type VerifiedKey } from './verification.cross-tenant.sql';
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
  return hashes.some((ofToken) => ofToken.length > 0) ? findLiveKeys(deps.db, hashes) : tokens.map(() => undefined);
}
