import { BaseConfig } from '@parley/runtime';
import { IsBoolean, IsString } from 'class-validator';

export class VoiceStackConfig extends BaseConfig {
  /** Providers for which this installation holds an account, separated by commas; their components need no credential. */
  @IsString()
  platformProviders = '';

  /** Whether calls may navigate phone menus and hold queues at all in this installation (section 2.6). */
  @IsBoolean()
  navigationReleased: boolean = true;
}
