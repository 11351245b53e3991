import type { OrganizationRecord as OrganizationView, ProjectRecord as ProjectView } from '@parley/contract';
import type { OrganizationRecord, ProjectRecord } from './organization.rules';

export const organizationView = (organization: OrganizationRecord): OrganizationView => ({
  organization_id: organization.organizationId,
  name: organization.name,
  billing: organization.billing,
  status: organization.status,
  ...(organization.suspension !== undefined && {
    suspension: { reason: organization.suspension.reason, suspended_at: organization.suspension.suspendedAt },
  }),
  created_at: organization.createdAt,
});

export const projectView = (project: ProjectRecord): ProjectView => ({
  project_id: project.projectId,
  organization_id: project.organizationId,
  name: project.name,
  created_at: project.createdAt,
});
