import { BaseConfig } from '@parley/runtime';
import { IsNotEmpty, IsString } from 'class-validator';

/** Each address is `host:port`, several by comma, or `dns:///name:port`. */
export class GatewayConfig extends BaseConfig {
  @IsString()
  @IsNotEmpty()
  authAddress!: string;

  @IsString()
  @IsNotEmpty()
  agentsAddress!: string;

  @IsString()
  @IsNotEmpty()
  voiceStackAddress!: string;

  @IsString()
  @IsNotEmpty()
  telephonyAddress!: string;

  @IsString()
  @IsNotEmpty()
  webhooksAddress!: string;
}
