import type { BillingMode, ComponentCredentialKind, OrganizationStatus } from '@parley/contract';
import type { KeyKind } from './clamp-scopes';

/** Times are ISO 8601 with milliseconds, empty where the thing has not happened. */
export interface KeyRecord {
  readonly keyId: string;
  /** Empty for a platform credential. */
  readonly organizationId: string;
  readonly name: string;
  readonly scopes: string[];
  readonly lastFour: string;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly revokedAt: string;
  readonly lastUsedAt: string;
}

export interface OrganizationRecord {
  readonly organizationId: string;
  readonly name: string;
  readonly billing: BillingMode;
  readonly status: OrganizationStatus;
  readonly createdAt: string;
}

export interface ProjectRecord {
  readonly projectId: string;
  readonly organizationId: string;
  readonly name: string;
  readonly createdAt: string;
}

/** A provider's credential; its secret stays in the vault. */
export interface ComponentCredentialRecord {
  readonly componentCredentialId: string;
  readonly organizationId: string;
  readonly kind: ComponentCredentialKind;
  readonly provider: string;
  readonly name: string;
  readonly createdBy: string;
  readonly createdAt: string;
}

/** An act worth keeping: who did what to which thing. `detail` never holds a secret. */
export interface AuditAct {
  readonly auditId: string;
  readonly organizationId: string;
  /** Empty when a command acted. */
  readonly actorKeyId: string;
  readonly action: string;
  readonly subject: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface AuditRecord extends AuditAct {
  readonly createdAt: string;
}

export interface MaintenanceRecord {
  readonly active: boolean;
  readonly retryAfterSeconds: number;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly message: string;
}

/** A key that is live: neither revoked nor expired. */
export interface LiveKey {
  readonly keyId: string;
  readonly organizationId: string;
  readonly kind: KeyKind;
  readonly scopes: string[];
}
