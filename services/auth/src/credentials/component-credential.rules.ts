import type { ComponentCredentialKind, ComponentCredentialRecord as ComponentCredentialView } from '@parley/contract';
import { orNull } from '../rows.rules';

/** A provider's credential without its secret, which is stored encrypted. */
export interface ComponentCredentialRecord {
  readonly componentCredentialId: string;
  readonly organizationId: string;
  readonly kind: ComponentCredentialKind;
  readonly provider: string;
  readonly name: string;
  readonly createdBy: string;
  readonly createdAt: string;
  /** Empty if the secret was never replaced. */
  readonly replacedAt: string;
  /** Empty: the public address of the provider. */
  readonly baseUrl: string;
  /** Whether calls of the organization may use it in addition to the credential that their agent binds. */
  readonly standby: boolean;
  /** The test result of the current secret; undefined if it was not tested. */
  readonly test?: { readonly at: string; readonly ok: boolean; readonly detail: string } | undefined;
}

/** The part of the test result that other services receive. */
export const testedOf = ({ test }: Pick<ComponentCredentialRecord, 'test'>): 'never' | 'failed' | 'ok' =>
  test === undefined ? 'never' : test.ok ? 'ok' : 'failed';

export const componentCredentialView = (credential: ComponentCredentialRecord): ComponentCredentialView => ({
  component_credential_id: credential.componentCredentialId,
  organization_id: credential.organizationId,
  kind: credential.kind,
  provider: credential.provider,
  name: credential.name,
  base_url: orNull(credential.baseUrl),
  standby: credential.standby,
  created_by: orNull(credential.createdBy),
  created_at: credential.createdAt,
  replaced_at: orNull(credential.replacedAt),
  tested_at: credential.test?.at ?? null,
  test_ok: credential.test?.ok ?? null,
  test_detail: credential.test?.detail ?? null,
});
