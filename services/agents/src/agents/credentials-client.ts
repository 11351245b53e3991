import type { AuthServiceServer } from '@parley/proto/auth';
import type { GrpcClient, OutgoingContext } from '@parley/runtime';
import type { KnownCredential } from './credential-bindings.rules';

/** The component credentials that auth keeps, as this service sees them: never a secret. */
export class Credentials {
  constructor(private readonly client: GrpcClient<AuthServiceServer>) {}

  /** Those of the ids that are the organization's own. */
  async find(
    organizationId: string,
    ids: readonly string[],
    context: OutgoingContext,
  ): Promise<readonly KnownCredential[]> {
    const request = { organizationId, componentCredentialIds: [...ids] };
    const { componentCredentials } = await this.client.findComponentCredentials(request, context);
    return componentCredentials.map(({ componentCredentialId, kind, provider, tested }) => ({
      credentialId: componentCredentialId,
      kind,
      provider,
      tested: tested === 'never' || tested === 'failed' || tested === 'ok' ? tested : undefined,
    }));
  }
}
