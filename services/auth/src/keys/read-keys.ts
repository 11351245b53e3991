import { notFound, unauthorized } from '@parley/errors';
import { isId, type Caller, type Database } from '@parley/runtime';
import { findKey, listKeys as find } from './keys.sql';
import type { KeyRecord } from './key.rules';
import { apiKeyView, gatewayTokenView } from './key-views.rules';
import type { ListQuery } from '@parley/contract';
import { newestFirst } from '../newest-first';

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

/** A page of an organization's keys, newest first. @throws AppError BadRequestError for a cursor that was not given out */
export const listKeys = (db: Database, organizationId: string, query: ListQuery): Promise<string> =>
  newestFirst(
    query,
    (page) => find(db, organizationId, 'customer', page),
    apiKeyView,
    ({ keyId }) => keyId,
  );

/** A page of the keys of operators. @throws AppError BadRequestError for a cursor that was not given out */
export const listOperatorKeys = (db: Database, query: ListQuery): Promise<string> =>
  newestFirst(
    query,
    (page) => find(db, '', 'operator', page),
    apiKeyView,
    ({ keyId }) => keyId,
  );

/** A page of an organization's gateway tokens, newest first. @throws AppError BadRequestError for a cursor that was not given out */
export const listGatewayTokens = (db: Database, organizationId: string, query: ListQuery): Promise<string> =>
  newestFirst(
    query,
    (page) => find(db, organizationId, 'gateway', page),
    gatewayTokenView,
    ({ keyId }) => keyId,
  );
