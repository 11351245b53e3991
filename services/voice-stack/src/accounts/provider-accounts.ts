import type { AuthServiceServer } from '@parley/proto/auth';
import type { ProviderAccount } from '@parley/providers';
import type { GrpcClient, OutgoingContext } from '@parley/runtime';
import type { VettedRequests } from '@parley/service';

/** This installation's own accounts at providers, by provider name. */
export type PlatformAccounts = ReadonlyMap<string, { readonly secret: string; readonly baseUrl: string }>;

/** Identifies the account to use. */
export interface WantedAccount {
  readonly organizationId: string;
  readonly provider: string;
  /** Empty: the organization's newest credential for the provider. */
  readonly credentialId: string;
  readonly purpose: 'voices' | 'preview';
}

/** Opens accounts at voice providers: the organization's own credential, otherwise the installation's account. */
export interface ProviderAccounts {
  open(wanted: WantedAccount, context: OutgoingContext): Promise<ProviderAccount | undefined>;
}

/**
 * Requests to a customer's server are sent only over connections whose address is checked. The installation's own accounts are configured by the operator and
 * need no check.
 */
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
    // The bound credential may be of another provider than the voice to be previewed.
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
