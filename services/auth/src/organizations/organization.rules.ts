import type { BillingMode, OrganizationStatus } from '@parley/contract';

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
