import type { OrganizationStatus } from '@parley/contract';
import { notFound } from '@parley/errors';
import { isId, newId, type Caller, type Database } from '@parley/runtime';
import { appendAudit } from '../db/audit';
import { bumpEpoch } from '../db/control';
import { lockOrganization, setOrganizationStatus } from '../db/organizations';
import type { OrganizationRecord } from '../domain/records';

const actionOf: Record<OrganizationStatus, string> = {
  active: 'organization.reinstated',
  suspended: 'organization.suspended',
};

/**
 * Suspends or reinstates an organization; every replica obeys within a second. An organization that already has the
 * status is returned as it is. NotFoundError when there is none.
 */
export async function setStatusOfOrganization(
  db: Database,
  caller: Caller,
  organizationId: string,
  status: OrganizationStatus,
): Promise<OrganizationRecord> {
  if (!isId('org', organizationId)) throw notFound('organization');
  return db.transaction(async (tx) => {
    const organization = await lockOrganization(tx, organizationId);
    if (organization === undefined) throw notFound('organization');
    if (organization.status === status) return organization;
    const changed = await setOrganizationStatus(tx, organizationId, status);
    await appendAudit(tx, {
      auditId: newId('aud'),
      organizationId,
      actorKeyId: caller.keyId,
      action: actionOf[status],
      subject: organizationId,
      detail: {},
    });
    await bumpEpoch(tx);
    return changed;
  });
}
