import { BaseConfig } from '@parley/runtime';
import { IsString } from 'class-validator';

export class VoiceStackConfig extends BaseConfig {
  /** Providers for which this installation holds an account, separated by commas; their components need no credential. */
  @IsString()
  platformProviders = '';
}
