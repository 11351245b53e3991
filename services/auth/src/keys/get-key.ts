import { notFound, unauthorized } from '@parley/errors';
import { isId, type Caller, type Database } from '@parley/runtime';
import { findKey } from './keys.sql';
import type { KeyRecord } from './key.rules';

/** @throws AppError NotFoundError for an absent key, another organization's and one that is no API key */
export async function getKey(db: Database, organizationId: string, keyId: string): Promise<KeyRecord> {
  const key = isId('key', keyId) ? await findKey(db, organizationId, ['customer'], keyId) : undefined;
  if (key === undefined) throw notFound('API key');
  return key;
}

/** The key of a caller. @throws AppError UnauthorizedError where it is gone */
export async function getOwnKey(db: Database, { organizationId, keyId }: Caller): Promise<KeyRecord> {
  const key = await findKey(db, organizationId, ['customer', 'operator'], keyId);
  if (key === undefined) throw unauthorized();
  return key;
}
