import type { AuthServiceServer } from '@parley/proto/auth';
import type { ProviderAccount } from '@parley/providers';
import type { GrpcClient, OutgoingContext } from '@parley/runtime';
import type { VettedRequests } from '@parley/service';

/** Keys of this installation at providers, by the provider's name. */
export type PlatformAccounts = ReadonlyMap<string, { readonly secret: string; readonly baseUrl: string }>;

/** Whose account is asked for. */
export interface WantedAccount {
  readonly organizationId: string;
  readonly provider: string;
  /** Empty: the organization's newest one of the provider. */
  readonly credentialId: string;
  readonly purpose: 'voices' | 'preview';
}

/** Opens accounts of voices: the organization's own credential, else the account of the installation. */
export interface ProviderAccounts {
  open(wanted: WantedAccount, context: OutgoingContext): Promise<ProviderAccount | undefined>;
}

/** Customers' addresses are reached only over vetted connections; the installation's own account is configured by the operator. */
export const providerAccounts = (
  client: Pick<GrpcClient<AuthServiceServer>, 'openComponentCredential'>,
  platform: PlatformAccounts,
  vetted: Pick<VettedRequests, 'fetch' | 'agentOf'>,
): ProviderAccounts => ({
  async open({ organizationId, provider, credentialId: componentCredentialId, purpose }, context) {
    const openOwn = async (id: string) => {
      const request = { organizationId, kind: 'tts', provider, componentCredentialId: id, purpose };
      return (await client.openComponentCredential(request, context)).componentCredential;
    };
    const named = organizationId === '' ? undefined : await openOwn(componentCredentialId);
    // What is bound may be of another provider than the voice that is to be heard.
    const other = purpose === 'preview' && organizationId !== '' && componentCredentialId !== '';
    const own = named ?? (other ? await openOwn('') : undefined);
    if (own !== undefined) {
      const { secret, baseUrl } = own;
      return { ...accountOf(secret, baseUrl), fetch: vetted.fetch, agent: vetted.agentOf(baseUrl || 'https:') };
    }
    const account = platform.get(provider);
    return account && accountOf(account.secret, account.baseUrl);
  },
});

const accountOf = (secret: string, baseUrl: string): ProviderAccount => ({
  apiKey: secret === '' ? undefined : secret,
  ...(baseUrl !== '' && { baseUrl: baseUrl.replace(/\/+$/, '') }),
});
