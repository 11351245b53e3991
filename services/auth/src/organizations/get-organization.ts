import { notFound } from '@parley/errors';
import { isId, type Database } from '@parley/runtime';
import { findOrganization } from './organizations.sql';
import type { OrganizationRecord } from './organization.rules';

/** @throws NotFoundError when there is none */
export async function getOrganization(db: Database, organizationId: string): Promise<OrganizationRecord> {
  const organization = isId('org', organizationId) ? await findOrganization(db, organizationId) : undefined;
  if (organization === undefined) throw notFound('organization');
  return organization;
}
