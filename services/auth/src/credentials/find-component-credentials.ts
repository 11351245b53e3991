import { notFound } from '@parley/errors';
import { isId, type Database } from '@parley/runtime';
import {
  findComponentCredentials as find,
  findStandbyCredentials,
  listComponentCredentials as listRecords,
} from './component-credentials.sql';
import type { ListQuery } from '@parley/contract';
import { type ComponentCredentialRecord, componentCredentialView } from './component-credential.rules';
import { newestFirst } from '../newest-first';

/** Returns the organization's credentials among these ids. Unknown ids and those of other organizations are omitted. */
export const findComponentCredentials = (
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<ComponentCredentialRecord[]> =>
  find(
    db,
    organizationId,
    ids.filter((id) => isId('cred', id)),
  );

/** Returns the organization's standby credentials, one of each kind and provider at most. */
export const standbyCredentials = (db: Database, organizationId: string): Promise<ComponentCredentialRecord[]> =>
  findStandbyCredentials(db, organizationId);

/** @throws AppError NotFoundError if it does not exist or belongs to another organization */
export async function getComponentCredential(
  db: Database,
  organizationId: string,
  id: string,
): Promise<ComponentCredentialRecord> {
  const [found] = await findComponentCredentials(db, organizationId, [id]);
  if (found === undefined) throw notFound('component credential');
  return found;
}

/** A page of an organization's provider credentials, newest first. @throws AppError BadRequestError for a cursor that the platform did not issue */
export const listComponentCredentials = (db: Database, organizationId: string, query: ListQuery): Promise<string> =>
  newestFirst(
    query,
    (page) => listRecords(db, organizationId, page),
    componentCredentialView,
    ({ componentCredentialId }) => componentCredentialId,
  );
