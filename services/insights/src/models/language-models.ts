import type { LeasedCredential } from '@parley/contract';
import type { AuthServiceServer } from '@parley/proto/auth';
import type { VoiceStackServiceServer } from '@parley/proto/voice_stack';
import { networkAdapters, type LanguageModel, type ProviderAccount, type StreamingAdapter } from '@parley/providers';
import { serviceCaller, type GrpcClient, type OutgoingContext } from '@parley/runtime';
import type { VettedRequests } from '@parley/service';

/** A model that is ready for requests with an account; undefined if there is no account. */
export type OpenedModel = { readonly model: LanguageModel } | undefined;

export interface LanguageModels {
  /** Whether there is an adapter for language models of this provider. */
  knows(provider: string): boolean;
  /** The account for a provider; undefined if there is none. */
  account(
    organizationId: string,
    wanted: WantedAccount,
    context: OutgoingContext,
  ): Promise<Pick<LeasedCredential, 'component_credential_id' | 'secret' | 'base_url'> | undefined>;
  open(organizationId: string, wanted: WantedAccount, context: OutgoingContext): Promise<OpenedModel>;
}

/** The credential of the organization, otherwise its standby credential if that counts, otherwise the account of the installation. */
export interface WantedAccount {
  /** Default: llm. */
  readonly kind?: LeasedCredential['kind'];
  readonly provider: string;
  /** Empty, unknown or of another kind or provider: there is none. */
  readonly componentCredentialId: string;
  /** No other account may take its place, because the customer chose it for this purpose. */
  readonly only?: boolean;
  readonly standby?: boolean;
  readonly purpose: string;
}

export interface ModelSources {
  readonly auth: Pick<GrpcClient<AuthServiceServer>, 'openComponentCredential'>;
  readonly voiceStack: Pick<GrpcClient<VoiceStackServiceServer>, 'getPlatformCredentials'>;
  readonly vetted: Pick<VettedRequests, 'fetch'>;
  /** Default: the adapters of this release. */
  readonly adapters?: readonly StreamingAdapter[];
}

/**
 * Addresses that customers have configured are checked before a connection is made. The operator is responsible for the address of the installation's own
 * account.
 */
export function languageModels({ auth, voiceStack, vetted, adapters = networkAdapters }: ModelSources): LanguageModels {
  const adapterOf = (provider: string) => adapters.find(({ name, model }) => name === provider && model !== undefined);
  const account: LanguageModels['account'] = async (organizationId, wanted, context) => {
    const { kind = 'llm', provider, purpose } = wanted;
    const openOwn = async (componentCredentialId: string): Promise<Leased | undefined> => {
      const request = { organizationId, kind, provider, componentCredentialId, purpose };
      const own = (await auth.openComponentCredential(request, context)).componentCredential;
      return own && leasedOf(own.componentCredentialId, own);
    };
    const named = wanted.componentCredentialId === '' ? undefined : await openOwn(wanted.componentCredentialId);
    const own = named ?? (wanted.standby === true ? await openOwn('') : undefined);
    if (own !== undefined || wanted.only === true) return own;
    const asService = { ...context, caller: serviceCaller };
    const { credentials } = await voiceStack.getPlatformCredentials({ providers: [provider] }, asService);
    return credentials[0] && leasedOf(null, credentials[0]);
  };
  return {
    knows: (provider) => adapterOf(provider) !== undefined,
    account,
    async open(organizationId, wanted, context) {
      const adapter = adapterOf(wanted.provider);
      const leased = adapter && (await account(organizationId, wanted, context));
      if (adapter?.model === undefined || leased === undefined) return undefined;
      if (adapter.requiresBaseUrl === true && leased.base_url === null) return undefined;
      const opened = accountOf(leased);
      return {
        model: adapter.model(leased.component_credential_id === null ? opened : { ...opened, fetch: vetted.fetch }),
      };
    },
  };
}

type Leased = Pick<LeasedCredential, 'component_credential_id' | 'secret' | 'base_url'>;

const leasedOf = (
  component_credential_id: string | null,
  { secret, baseUrl }: { readonly secret: string; readonly baseUrl: string },
): Leased => ({
  component_credential_id,
  secret: secret === '' ? null : secret,
  base_url: baseUrl === '' ? null : baseUrl.replace(/\/+$/, ''),
});

const accountOf = ({ secret, base_url: baseUrl }: Leased): ProviderAccount => ({
  apiKey: secret ?? undefined,
  ...(baseUrl !== null && { baseUrl }),
});
