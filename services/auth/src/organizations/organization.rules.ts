import type {
  BillingMode,
  OrganizationStatus,
  OrganizationRecord as OrganizationView,
  ProjectRecord as ProjectView,
} from '@parley/contract';

export interface OrganizationRecord {
  readonly organizationId: string;
  readonly name: string;
  readonly billing: BillingMode;
  readonly status: OrganizationStatus;
  /** Undefined if the organization is not suspended. */
  readonly suspension: { readonly reason: string | null; readonly suspendedAt: string } | undefined;
  /** The control epoch of the last change of `billing`; 0 if it never changed. */
  readonly billingEpoch: string;
  readonly createdAt: string;
}

export interface ProjectRecord {
  readonly projectId: string;
  readonly organizationId: string;
  readonly name: string;
  readonly createdAt: string;
}

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
