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
  /** Empty: the installation's account. */
  readonly credentialId: string;
  readonly purpose: 'voices' | 'preview';
}

/** Opens accounts at voice providers: the named credential of the organization, otherwise the installation's account. */
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
    if (componentCredentialId !== '') {
      const request = { organizationId, kind: 'tts', provider, componentCredentialId, purpose };
      const own = (await client.openComponentCredential(request, context)).componentCredential;
      if (own !== undefined) {
        const { secret, baseUrl } = own;
        return { ...accountOf(secret, baseUrl), fetch: vetted.fetch, agent: vetted.agentOf(baseUrl || 'https:') };
      }
      // The credential that an agent binds may be of another provider than the voice of a preview; an inventory is that of one account.
      if (purpose === 'voices') return undefined;
    }
    const account = platform.get(provider);
    return account && accountOf(account.secret, account.baseUrl);
  },
});

const accountOf = (secret: string, baseUrl: string): ProviderAccount => ({
  apiKey: secret === '' ? undefined : secret,
  ...(baseUrl !== '' && { baseUrl: baseUrl.replace(/\/+$/, '') }),
});
