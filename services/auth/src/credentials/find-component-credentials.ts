import { notFound } from '@parley/errors';
import { isId, type Database } from '@parley/runtime';
import {
  findComponentCredentials as find,
  findStandbyCredentials,
  listComponentCredentials as listRecords,
} from './component-credentials.sql';
import type { ComponentCredentialRecord } from './component-credential.rules';
import type { ListQuery } from '@parley/contract';
import { componentCredentialView } from './component-credential-views.rules';
import { newestFirst } from '../newest-first';

/** Those of the named credentials that the organization has; those of other organizations and unknown ones are left out. */
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

/** The newest standby credential of each kind and provider that the organization has. */
export const standbyCredentials = (db: Database, organizationId: string): Promise<ComponentCredentialRecord[]> =>
  findStandbyCredentials(db, organizationId, []);

/** @throws AppError NotFoundError for an absent one and another organization's */
export async function getComponentCredential(
  db: Database,
  organizationId: string,
  id: string,
): Promise<ComponentCredentialRecord> {
  const [found] = await findComponentCredentials(db, organizationId, [id]);
  if (found === undefined) throw notFound('component credential');
  return found;
}

/** A page of an organization's provider credentials, newest first. @throws AppError BadRequestError for a cursor that was not given out */
export const listComponentCredentials = (db: Database, organizationId: string, query: ListQuery): Promise<string> =>
  newestFirst(
    query,
    (page) => listRecords(db, organizationId, page),
    componentCredentialView,
    ({ componentCredentialId }) => componentCredentialId,
  );
