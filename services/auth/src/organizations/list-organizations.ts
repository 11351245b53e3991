import type { ListQuery } from '@parley/contract';
import type { Database } from '@parley/runtime';
import { listOrganizations as find } from './operator-lists.cross-tenant.sql';
import { organizationView } from './organization-views.rules';
import { newestFirst } from '../newest-first';

/** A page of every organization, newest first. @throws AppError BadRequestError for a cursor that was not given out */
export const listOrganizations = (db: Database, query: ListQuery): Promise<string> =>
  newestFirst(
    query,
    (page) => find(db, page),
    organizationView,
    ({ organizationId }) => organizationId,
  );
