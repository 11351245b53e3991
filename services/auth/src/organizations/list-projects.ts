import type { ListQuery } from '@parley/contract';
import type { Database } from '@parley/runtime';
import { listProjects as find } from './projects.sql';
import { projectView } from './organization-views.rules';
import { newestFirst } from '../newest-first';

/** A page of an organization's projects, newest first. @throws AppError BadRequestError for a cursor that was not given out */
export const listProjects = (db: Database, organizationId: string, query: ListQuery): Promise<string> =>
  newestFirst(
    query,
    (page) => find(db, organizationId, page),
    projectView,
    ({ projectId }) => projectId,
  );
