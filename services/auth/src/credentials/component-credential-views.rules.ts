import type { ComponentCredentialRecord as ComponentCredentialView } from '@parley/contract';
import { orNull } from '../or-null.rules';
import type { ComponentCredentialRecord } from './component-credential.rules';

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
