import type { BillingMode, OrganizationUpdate } from '@parley/contract';
import { notFound } from '@parley/errors';
import type { AuditActor } from '@parley/service';
import { isId, type Database } from '@parley/runtime';
import { appendAudit } from '../audit';
import { lockOrganization, organizationExists, setOrganizationBilling } from './organizations.sql';
import type { OrganizationRecord } from './organization.rules';

/**
 * Changes how an organization pays, with its audit row. Other services learn of it by the control epoch, which the change moves.
 * @param body validates the fields, once the organization is found
 * @throws NotFoundError; BadRequestError
 */
export async function updateOrganization(
  db: Database,
  actor: AuditActor,
  organizationId: string,
  body: () => OrganizationUpdate,
): Promise<OrganizationRecord> {
  // Organizations are never removed, so the look-up holds for the transaction that follows.
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
