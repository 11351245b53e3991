import { notFound, badRequest } from '@parley/errors';
import { isId, type Database } from '@parley/runtime';
import { findOrganization } from './organizations.sql';
import type { ListQuery } from '@parley/contract';
import { listOrganizations as find, readBillingChanges, type BillingChanges } from './organizations.cross-tenant.sql';
import { type OrganizationRecord, organizationView } from './organization.rules';
import { newestFirst } from '../newest-first';

/** @throws NotFoundError if there is no such organization */
export async function getOrganization(db: Database, organizationId: string): Promise<OrganizationRecord> {
  const organization = isId('org', organizationId) ? await findOrganization(db, organizationId) : undefined;
  if (organization === undefined) throw notFound('organization');
  return organization;
}

/** A page of all organizations, newest first. @throws AppError BadRequestError for a cursor that the platform did not issue */
export const listOrganizations = (db: Database, query: ListQuery): Promise<string> =>
  newestFirst(
    query,
    (page) => find(db, page),
    organizationView,
    ({ organizationId }) => organizationId,
  );

/** Maximum number of changes in one response; a service that is further behind requests more. */
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
