import { BaseConfig, Readable } from '@parley/runtime';
import { createAddressPolicy } from '@parley/service';
import { IsBoolean, IsOptional, IsString, Matches, MinLength } from 'class-validator';
import { builtInVendors } from './catalogue';

const httpUrl = /^https?:\/\/\S+$/;

/** An installation's own account at a provider. */
export interface SpeechAccount {
  readonly apiKey: string | undefined;
  /** A server that implements the provider's protocol, used instead of the provider's public address; includes the version if the public address does. */
  readonly baseUrl: string | undefined;
}

export class VoiceStackConfig extends BaseConfig {
  /** AUTH_ADDRESS: host:port, comma-separated, or dns:///name:port. */
  @IsString()
  @MinLength(1)
  authAddress!: string;

  /** WEBHOOK_ALLOWED_CIDRS: comma-separated CIDR blocks of in-cluster servers for credentials. Default: none. */
  @IsOptional()
  @Readable((allowedCidrs) => createAddressPolicy({ development: false, allowedCidrs }))
  webhookAllowedCidrs?: string;

  /** WEBHOOK_ALLOWED_HOSTS: comma-separated host names of in-cluster servers. Default: none. */
  @IsOptional()
  @IsString()
  webhookAllowedHosts?: string;

  /** Providers at which this installation has an account, separated by commas; their components need no credential. */
  @IsString()
  platformProviders = '';

  /** CATALOGUE_DIR: a folder with files that add, reprice or hide vendors and models (docs/reference/voice-stack.md#own-catalogue). Default: none. */
  @IsOptional()
  @IsString()
  catalogueDir?: string;

  /** NAVIGATION_ENABLED: whether calls of this installation may navigate phone menus and wait in hold queues (docs/reference/tuning.md). */
  @IsBoolean()
  navigationEnabled: boolean = true;
}

/** The properties for PROVIDER_<NAME>_API_KEY and PROVIDER_<NAME>_URL, such as PROVIDER_OPENAI_API_KEY. */
const propertiesOf = (provider: string): Readonly<Record<keyof SpeechAccount, string>> => {
  const stem = `provider_${provider}`.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return { apiKey: `${stem}ApiKey`, baseUrl: `${stem}Url` };
};

// With an API key, and if the provider is in PLATFORM_PROVIDERS, hosted workers use the account for its components, and its voices can be previewed.
for (const { provider: name, requires_account: requiresAccount } of builtInVendors) {
  if (!requiresAccount) continue;
  const { apiKey, baseUrl } = propertiesOf(name);
  for (const property of [apiKey, baseUrl]) IsOptional()(VoiceStackConfig.prototype, property);
  IsString()(VoiceStackConfig.prototype, apiKey);
  Matches(httpUrl, { message: 'must be an http:// or https:// URL' })(VoiceStackConfig.prototype, baseUrl);
}

export function accountAt(config: VoiceStackConfig, provider: string): SpeechAccount {
  const { apiKey, baseUrl } = propertiesOf(provider);
  const valueOf = (property: string) => Reflect.get(config, property) as string | undefined;
  return { apiKey: valueOf(apiKey), baseUrl: valueOf(baseUrl) };
}
