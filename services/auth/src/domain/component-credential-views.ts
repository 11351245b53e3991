import type { ComponentCredentialRecord as ComponentCredentialView } from '@parley/contract';
import { orNull } from './or-null';
import type { ComponentCredentialRecord } from './records';

export const componentCredentialView = (credential: ComponentCredentialRecord): ComponentCredentialView => ({
  component_credential_id: credential.componentCredentialId,
  organization_id: credential.organizationId,
  kind: credential.kind,
  provider: credential.provider,
  name: credential.name,
  created_by: orNull(credential.createdBy),
  created_at: credential.createdAt,
});
