import { notFound, unauthorized } from '@parley/errors';
import { isId, type Caller, type Database } from '@parley/runtime';
import { findKey, listKeys as find } from './keys.sql';
import type { KeyRecord } from './key.rules';
import { apiKeyView, gatewayTokenView } from './key-views.rules';
import type { ListQuery } from '@parley/contract';
import { newestFirst } from '../newest-first';

/** @throws AppError NotFoundError if the key does not exist, belongs to another organization, or is not an API key */
export async function getKey(db: Database, organizationId: string, keyId: string): Promise<KeyRecord> {
  const key = isId('key', keyId) ? await findKey(db, organizationId, ['customer'], keyId) : undefined;
  if (key === undefined) throw notFound('API key');
  return key;
}

/** @throws AppError NotFoundError if the key does not exist or is not an operator's */
export async function getOperatorKey(db: Database, keyId: string): Promise<KeyRecord> {
  const key = isId('key', keyId) ? await findKey(db, '', ['operator'], keyId) : undefined;
  if (key === undefined) throw notFound('operator key');
  return key;
}

/** @throws AppError NotFoundError if the token does not exist, belongs to another organization, or is not a gateway token */
export async function getGatewayToken(db: Database, organizationId: string, keyId: string): Promise<KeyRecord> {
  const token = isId('key', keyId) ? await findKey(db, organizationId, ['gateway'], keyId) : undefined;
  if (token === undefined) throw notFound('gateway token');
  return token;
}

/** Returns the caller's own key. @throws AppError UnauthorizedError if it no longer exists */
export async function getOwnKey(db: Database, { organizationId, keyId }: Caller): Promise<KeyRecord> {
  const key = await findKey(db, organizationId, ['customer', 'operator'], keyId);
  if (key === undefined) throw unauthorized();
  return key;
}

/** A page of an organization's keys, newest first. @throws AppError BadRequestError for a cursor that the platform did not issue */
export const listKeys = (db: Database, organizationId: string, query: ListQuery): Promise<string> =>
  newestFirst(
    query,
    (page) => find(db, organizationId, 'customer', page),
    apiKeyView,
    ({ keyId }) => keyId,
  );

/** A page of the operators' keys. @throws AppError BadRequestError for a cursor that the platform did not issue */
export const listOperatorKeys = (db: Database, query: ListQuery): Promise<string> =>
  newestFirst(
    query,
    (page) => find(db, '', 'operator', page),
    apiKeyView,
    ({ keyId }) => keyId,
  );

/** A page of an organization's gateway tokens, newest first. @throws AppError BadRequestError for a cursor that the platform did not issue */
export const listGatewayTokens = (db: Database, organizationId: string, query: ListQuery): Promise<string> =>
  newestFirst(
    query,
    (page) => find(db, organizationId, 'gateway', page),
    gatewayTokenView,
    ({ keyId }) => keyId,
  );
