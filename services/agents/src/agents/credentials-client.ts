import type { AuthServiceServer, ComponentCredential } from '@parley/proto/auth';
import type { GrpcClient, OutgoingContext } from '@parley/runtime';
import type { KnownCredential } from './credential-bindings.rules';

/** Requests component credentials from auth, never their secrets. */
export class Credentials {
  constructor(private readonly client: GrpcClient<AuthServiceServer>) {}

  /** Returns the credentials with these ids that belong to the organization. */
  async find(
    organizationId: string,
    ids: readonly string[],
    context: OutgoingContext,
  ): Promise<readonly KnownCredential[]> {
    const request = { organizationId, componentCredentialIds: [...ids], standby: false };
    const { componentCredentials } = await this.client.findComponentCredentials(request, context);
    return componentCredentials.map(knownOf);
  }

  /** The same, plus the organization's standby credentials, which calls use too. */
  async forCalls(
    organizationId: string,
    ids: readonly string[],
    context: OutgoingContext,
  ): Promise<{ readonly known: readonly KnownCredential[]; readonly standby: readonly KnownCredential[] }> {
    const request = { organizationId, componentCredentialIds: [...ids], standby: true };
    const { componentCredentials, standby } = await this.client.findComponentCredentials(request, context);
    return { known: componentCredentials.map(knownOf), standby: standby.map(knownOf) };
  }
}

const knownOf = ({ componentCredentialId, tested, ...rest }: ComponentCredential): KnownCredential => ({
  credentialId: componentCredentialId,
  kind: rest.kind,
  provider: rest.provider,
  ownAddress: rest.ownAddress,
  tested: tested === 'never' || tested === 'failed' || tested === 'ok' ? tested : undefined,
});
