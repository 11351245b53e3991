import { BaseConfig } from '@parley/runtime';
import { IsBoolean, IsOptional, IsString, Matches } from 'class-validator';

const httpUrl = /^https?:\/\/\S+$/;

export class VoiceStackConfig extends BaseConfig {
  /** Providers for which this installation holds an account, separated by commas; their components need no credential. */
  @IsString()
  platformProviders = '';

  /** Whether calls may navigate phone menus and hold queues at all in this installation (section 2.6). */
  @IsBoolean()
  navigationReleased: boolean = true;

  /** Of this installation's own account; with it, and elevenlabs among the platform's providers, its voices can be previewed. */
  @IsOptional()
  @IsString()
  elevenlabsApiKey?: string;

  /** In place of https://api.elevenlabs.io. */
  @IsOptional()
  @Matches(httpUrl, { message: 'must be an http:// or https:// URL' })
  elevenlabsUrl?: string;

  /** As elevenlabsApiKey, for openai. */
  @IsOptional()
  @IsString()
  openaiApiKey?: string;

  /** In place of https://api.openai.com: a server that speaks its protocol. */
  @IsOptional()
  @Matches(httpUrl, { message: 'must be an http:// or https:// URL' })
  openaiUrl?: string;
}
