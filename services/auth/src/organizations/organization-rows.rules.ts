import type { BillingMode, OrganizationStatus } from '@parley/contract';
import { timeText } from '../rows.rules';
import type { OrganizationRecord } from './organization.rules';

export interface OrganizationRow {
  readonly organization_id: string;
  readonly name: string;
  readonly billing: BillingMode;
  readonly status: OrganizationStatus;
  readonly suspension_reason: string | null;
  readonly suspended_at: Date | null;
  readonly billing_epoch: string | null;
  readonly created_at: Date;
}

export const organizationColumns =
  'organization_id, name, billing, status, suspension_reason, suspended_at, billing_epoch, created_at';

export const organizationOf = (row: OrganizationRow): OrganizationRecord => ({
  organizationId: row.organization_id,
  name: row.name,
  billing: row.billing,
  status: row.status,
  suspension:
    row.suspended_at === null
      ? undefined
      : { reason: row.suspension_reason, suspendedAt: row.suspended_at.toISOString() },
  billingEpoch: row.billing_epoch ?? '0',
  createdAt: timeText(row.created_at),
});
