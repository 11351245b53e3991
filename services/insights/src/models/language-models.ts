import type { AuthServiceServer } from '@parley/proto/auth';
import type { VoiceStackServiceServer } from '@parley/proto/voice_stack';
import { networkAdapters, type LanguageModel, type ProviderAccount, type StreamingAdapter } from '@parley/providers';
import { serviceCaller, type GrpcClient, type OutgoingContext } from '@parley/runtime';
import type { VettedRequests } from '@parley/service';

/** A model of a provider, with the account that requests are made with. Undefined: there is no account. */
export type OpenedModel = { readonly model: LanguageModel } | undefined;

export interface LanguageModels {
  /** Whether a provider has language models here at all. */
  knows(provider: string): boolean;
  /** The newest credential of the organization, else the account of the installation. */
  open(organizationId: string, provider: string, purpose: string, context: OutgoingContext): Promise<OpenedModel>;
}

export interface ModelSources {
  readonly auth: Pick<GrpcClient<AuthServiceServer>, 'openComponentCredential'>;
  readonly voiceStack: Pick<GrpcClient<VoiceStackServiceServer>, 'getPlatformCredentials'>;
  readonly vetted: Pick<VettedRequests, 'fetch'>;
  /** Default: those of this release. */
  readonly adapters?: readonly StreamingAdapter[];
}

/** Addresses of customers are reached by vetted connections alone; that of the installation's own account is the operator's. */
export function languageModels({ auth, voiceStack, vetted, adapters = networkAdapters }: ModelSources): LanguageModels {
  const adapterOf = (provider: string) => adapters.find(({ name, model }) => name === provider && model !== undefined);
  const accountAt = async (
    organizationId: string,
    provider: string,
    purpose: string,
    context: OutgoingContext,
  ): Promise<ProviderAccount | undefined> => {
    const request = { organizationId, kind: 'llm', provider, componentCredentialId: '', purpose };
    const own = (await auth.openComponentCredential(request, context)).componentCredential;
    if (own !== undefined) return { ...accountOf(own.secret, own.baseUrl), fetch: vetted.fetch };
    const asService = { ...context, caller: serviceCaller };
    const [installed] = (await voiceStack.getPlatformCredentials({ providers: [provider] }, asService)).credentials;
    return installed && accountOf(installed.secret, installed.baseUrl);
  };
  return {
    knows: (provider) => adapterOf(provider) !== undefined,
    async open(organizationId, provider, purpose, context) {
      const adapter = adapterOf(provider);
      const account = adapter && (await accountAt(organizationId, provider, purpose, context));
      if (adapter?.model === undefined || account === undefined) return undefined;
      if (adapter.requiresBaseUrl === true && account.baseUrl === undefined) return undefined;
      return { model: adapter.model(account) };
    },
  };
}

const accountOf = (secret: string, baseUrl: string): ProviderAccount => ({
  apiKey: secret === '' ? undefined : secret,
  ...(baseUrl !== '' && { baseUrl: baseUrl.replace(/\/+$/, '') }),
});
