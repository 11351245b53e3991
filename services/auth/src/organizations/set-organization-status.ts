import type { OrganizationStatus } from '@parley/contract';
import { notFound } from '@parley/errors';
import { isId, type Database } from '@parley/runtime';
import type { AuditActor } from '@parley/service';
import { appendAudit } from '../audit';
import { bumpEpoch } from '../control-state';
import { lockOrganization, setOrganizationStatus } from './organizations.sql';
import type { OrganizationRecord } from './organization.rules';

const actionOf: Record<OrganizationStatus, string> = {
  active: 'organization.reinstated',
  suspended: 'organization.suspended',
};

/**
 * Suspends or reinstates an organization. Every replica applies this within a second. An organization that already has the status is returned unchanged, with
 * the original reason.
 * @throws NotFoundError if there is no such organization
 */
export async function setStatusOfOrganization(
  db: Database,
  actor: AuditActor,
  organizationId: string,
  status: OrganizationStatus,
  reasonOf: () => string | undefined = () => undefined,
): Promise<OrganizationRecord> {
  if (!isId('org', organizationId)) throw notFound('organization');
  return db.transaction(async (tx) => {
    const organization = await lockOrganization(tx, organizationId);
    if (organization === undefined) throw notFound('organization');
    const reason = reasonOf();
    if (organization.status === status) return organization;
    const changed = await setOrganizationStatus(tx, organizationId, status, reason ?? null);
    const detail = reason === undefined ? {} : { reason };
    const act = { organizationId, action: actionOf[status], subject: organizationId, detail };
    await appendAudit(tx, act, actor);
    await bumpEpoch(tx, {
      kind: status === 'suspended' ? 'organization_suspended' : 'organization_reinstated',
      subject: organizationId,
    });
    return changed;
  });
}
