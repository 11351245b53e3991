import { notFound, badRequest } from '@parley/errors';
import { isId, type Database } from '@parley/runtime';
import { findOrganization } from './organizations.sql';
import type { OrganizationRecord } from './organization.rules';
import type { ListQuery } from '@parley/contract';
import { listOrganizations as find, readBillingChanges, type BillingChanges } from './organizations.cross-tenant.sql';
import { organizationView } from './organization-views.rules';
import { newestFirst } from '../newest-first';

/** @throws NotFoundError when there is none */
export async function getOrganization(db: Database, organizationId: string): Promise<OrganizationRecord> {
  const organization = isId('org', organizationId) ? await findOrganization(db, organizationId) : undefined;
  if (organization === undefined) throw notFound('organization');
  return organization;
}

/** A page of every organization, newest first. @throws AppError BadRequestError for a cursor that was not given out */
export const listOrganizations = (db: Database, query: ListQuery): Promise<string> =>
  newestFirst(
    query,
    (page) => find(db, page),
    organizationView,
    ({ organizationId }) => organizationId,
  );

/** Changes of one answer; a service that is further behind asks again. */
const changesPerAnswer = 1_000;

/** @throws BadRequestError for an epoch below 0 */
export async function listBillingChanges(
  db: Database,
  sinceEpoch: string,
): Promise<BillingChanges & { readonly more: boolean }> {
  if (sinceEpoch.startsWith('-')) throw badRequest('since_epoch: must be 0 or more');
  const read = await readBillingChanges(db, sinceEpoch, changesPerAnswer);
  return { ...read, more: read.changes.length === changesPerAnswer };
}
