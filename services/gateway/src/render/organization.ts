import { billingModes, organizationStatuses, type OrganizationRecord } from '@parley/contract';
import type { Organization } from '@parley/proto/auth';
import { oneOf } from './one-of';

export const organizationRecord = (organization: Organization): OrganizationRecord => ({
  organization_id: organization.organizationId,
  name: organization.name,
  billing: oneOf(billingModes, organization.billing),
  status: oneOf(organizationStatuses, organization.status),
  created_at: organization.createdAt,
});
