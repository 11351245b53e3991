import { componentCredentialKinds, type ComponentCredentialRecord } from '@parley/contract';
import type { ComponentCredential } from '@parley/proto/auth';
import { orNull } from './absent';
import { oneOf } from './one-of';

export const componentCredentialRecord = (credential: ComponentCredential): ComponentCredentialRecord => ({
  component_credential_id: credential.componentCredentialId,
  organization_id: credential.organizationId,
  kind: oneOf(componentCredentialKinds, credential.kind),
  provider: credential.provider,
  name: credential.name,
  created_by: orNull(credential.createdBy),
  created_at: credential.createdAt,
});
