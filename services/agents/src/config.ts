import { BaseConfig } from '@parley/runtime';
import { IsString, MinLength } from 'class-validator';

export class AgentsConfig extends BaseConfig {
  /** VOICE_STACK_ADDRESS: host:port, several by comma, or dns:///name:port. */
  @IsString()
  @MinLength(1)
  voiceStackAddress!: string;
}
