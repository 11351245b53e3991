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
  /** Empty: the provider's public address. */
  readonly baseUrl: string;
  /** Whether calls of the organization may use it besides the one that their agent binds. */
  readonly standby: boolean;
  /** The test result of the current secret; undefined: it was not tested. */
  readonly test?: { readonly at: string; readonly ok: boolean; readonly detail: string } | undefined;
}

/** The part of the test result that other services receive. */
export const testedOf = ({ test }: Pick<ComponentCredentialRecord, 'test'>): 'never' | 'failed' | 'ok' =>
  test === undefined ? 'never' : test.ok ? 'ok' : 'failed';
