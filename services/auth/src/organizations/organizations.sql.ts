import type { BillingMode, OrganizationStatus } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import type { OrganizationRecord } from './organization.rules';
import { onlyRow } from '../rows.rules';
import { organizationColumns, organizationOf, type OrganizationRow } from './organization-rows.rules';

export async function insertOrganization(
  tx: Queryable,
  organizationId: string,
  name: string,
  billing: BillingMode,
): Promise<OrganizationRecord> {
  const result = await tx.query<OrganizationRow>({
    name: 'insert-organization',
    text: `insert into organizations (organization_id, name, billing) values ($1, $2, $3) returning ${organizationColumns}`,
    values: [organizationId, name, billing],
  });
  return organizationOf(onlyRow(result));
}

export async function findOrganization(db: Queryable, organizationId: string): Promise<OrganizationRecord | undefined> {
  const { rows } = await db.query<OrganizationRow>({
    name: 'find-organization',
    text: `select ${organizationColumns} from organizations where organization_id = $1`,
    values: [organizationId],
  });
  return rows[0] && organizationOf(rows[0]);
}

export async function organizationExists(db: Queryable, organizationId: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'organization-exists',
    text: 'select 1 from organizations where organization_id = $1',
    values: [organizationId],
  });
  return rowCount > 0;
}

/** Locks the organization for a change of its status; undefined if there is none. */
export async function lockOrganization(tx: Queryable, organizationId: string): Promise<OrganizationRecord | undefined> {
  const { rows } = await tx.query<OrganizationRow>({
    name: 'lock-organization',
    text: `select ${organizationColumns} from organizations where organization_id = $1 for update`,
    values: [organizationId],
  });
  return rows[0] && organizationOf(rows[0]);
}

export async function setOrganizationStatus(
  tx: Queryable,
  organizationId: string,
  status: OrganizationStatus,
  reason: string | null,
): Promise<OrganizationRecord> {
  const result = await tx.query<OrganizationRow>({
    name: 'set-organization-status',
    text: `update organizations set status = $2, suspension_reason = $3,
             suspended_at = case when $2 = 'suspended' then clock_timestamp() end
           where organization_id = $1 returning ${organizationColumns}`,
    values: [organizationId, status, reason],
  });
  return organizationOf(onlyRow(result));
}

export interface BillingChange {
  readonly organizationId: string;
  readonly billing: BillingMode;
  /** The control epoch of the change; 0 for an organization whose billing never changed. */
  readonly epoch: string;
}

/**
 * Changes the billing of a locked organization under a new control epoch. All transactions that change the control state share the epoch row, so it is locked
 * last, until the commit.
 */
export async function setOrganizationBilling(
  tx: Queryable,
  organizationId: string,
  billing: BillingMode,
): Promise<OrganizationRecord> {
  const result = await tx.query<OrganizationRow>({
    name: 'set-organization-billing',
    text: `with bump as (update control_epoch set epoch = epoch + 1 returning epoch)
           update organizations set billing = $2, billing_epoch = bump.epoch from bump
           where organization_id = $1 returning ${organizationColumns}`,
    values: [organizationId, billing],
  });
  return organizationOf(onlyRow(result));
}
