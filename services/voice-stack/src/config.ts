import { BaseConfig } from '@parley/runtime';
import { IsBoolean, IsOptional, IsString, Matches } from 'class-validator';
import type { SpeechAccount } from './previews';
import { providers } from './providers';

const httpUrl = /^https?:\/\/\S+$/;

export class VoiceStackConfig extends BaseConfig {
  /** Providers for which this installation holds an account, separated by commas; their components need no credential. */
  @IsString()
  platformProviders = '';

  /** Whether calls may navigate phone menus and hold queues at all in this installation (section 2.6). */
  @IsBoolean()
  navigationReleased: boolean = true;
}

/** Read as PROVIDER_<NAME>_API_KEY and PROVIDER_<NAME>_URL, such as PROVIDER_OPENAI_API_KEY. */
const propertiesOf = (provider: string): Readonly<Record<keyof SpeechAccount, string>> => {
  const stem = `provider${provider.charAt(0).toUpperCase()}${provider.slice(1)}`;
  return { apiKey: `${stem}ApiKey`, baseUrl: `${stem}Url` };
};

// With a key, and its name among the platform's providers, hosted workers run a provider's components on it, and its voices can be previewed.
for (const { name, requiresAccount } of providers) {
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
