import type { ListQuery } from '@parley/contract';
import type { Database } from '@parley/runtime';
import { listComponentCredentials as find } from './component-credentials.sql';
import { componentCredentialView } from './component-credential-views.rules';
import { newestFirst } from '../newest-first';

/** A page of an organization's provider credentials, newest first. @throws AppError BadRequestError for a cursor that was not given out */
export const listComponentCredentials = (db: Database, organizationId: string, query: ListQuery): Promise<string> =>
  newestFirst(
    query,
    (page) => find(db, organizationId, page),
    componentCredentialView,
    ({ componentCredentialId }) => componentCredentialId,
  );
