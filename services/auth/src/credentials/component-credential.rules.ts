import type { ComponentCredentialKind } from '@parley/contract';

/** A provider's credential; its secret stays in the vault. */
export interface ComponentCredentialRecord {
  readonly componentCredentialId: string;
  readonly organizationId: string;
  readonly kind: ComponentCredentialKind;
  readonly provider: string;
  readonly name: string;
  readonly createdBy: string;
  readonly createdAt: string;
  /** Empty: it is the first one. */
  readonly replacedAt: string;
}
