import { parseToken } from '@parley/contract';
import { unauthorized } from '@parley/errors';
import { findLiveKey, type VerifiedKey } from '../db/verification';
import type { Dependencies } from './dependencies';

/**
 * The live key behind a token. UnauthorizedError for a malformed, unknown, revoked or expired one alike; a malformed one
 * costs no look-up.
 */
export async function verifyToken(deps: Pick<Dependencies, 'db' | 'peppers'>, token: string): Promise<VerifiedKey> {
  if (parseToken(token) === undefined) throw unauthorized();
  const key = await findLiveKey(deps.db, deps.peppers.all(token));
  if (key === undefined) throw unauthorized();
  return key;
}
