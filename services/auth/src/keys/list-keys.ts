import type { ListQuery } from '@parley/contract';
import type { Database } from '@parley/runtime';
import { listKeys as find } from './keys.sql';
import { apiKeyView } from './key-views.rules';
import { newestFirst } from '../newest-first';

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
