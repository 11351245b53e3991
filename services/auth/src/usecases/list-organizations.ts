import type { ListQuery } from '@parley/contract';
import type { Database } from '@parley/runtime';
import { listOrganizations as find } from '../db/operator-lists';
import { organizationView } from '../domain/organization-views';
import { newestFirst } from './newest-first';

/** A page of every organization, newest first. @throws AppError BadRequestError for a cursor that was not given out */
export const listOrganizations = (db: Database, query: ListQuery): Promise<string> =>
  newestFirst(
    query,
    (page) => find(db, page),
    organizationView,
    ({ organizationId }) => organizationId,
  );
