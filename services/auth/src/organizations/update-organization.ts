import type { BillingMode, OrganizationUpdate } from '@parley/contract';
import { notFound } from '@parley/errors';
import type { AuditActor } from '@parley/service';
import { isId, type Database } from '@parley/runtime';
import { appendAudit } from '../audit';
import { lockOrganization, organizationExists, setOrganizationBilling } from './organizations.sql';
import type { OrganizationRecord } from './organization.rules';

/**
 * Changes an organization's billing and writes the audit entry. Other services notice the change because it increments the control epoch.
 * @param body validates the fields, after the organization was found
 * @throws NotFoundError; BadRequestError
 */
export async function updateOrganization(
  db: Database,
  actor: AuditActor,
  organizationId: string,
  body: () => OrganizationUpdate,
): Promise<OrganizationRecord> {
  // Organizations are never deleted, so the result of this look-up stays valid in the transaction that follows.
  if (!isId('org', organizationId) || !(await organizationExists(db, organizationId))) throw notFound('organization');
  const { billing } = body();
  return db.transaction(async (tx) => {
    const organization = await lockOrganization(tx, organizationId);
    if (organization === undefined) throw notFound('organization');
    if (organization.billing === billing) return organization;
    const detail: Record<'from' | 'to', BillingMode> = { from: organization.billing, to: billing };
    await appendAudit(
      tx,
      { organizationId, action: 'organization.billing_changed', subject: organizationId, detail },
      actor,
    );
    return setOrganizationBilling(tx, organizationId, billing);
  });
}
