import { BaseConfig, Readable } from '@parley/runtime';
import { createAddressPolicy } from '@parley/service';
import { IsIn, IsInt, IsOptional, IsString, Max, Min, MinLength } from 'class-validator';

/** Each address has the form `host:port`, several separated by commas, or `dns:///name:port`. */
export class InsightsConfig extends BaseConfig {
  @IsString()
  @MinLength(1)
  authAddress!: string;

  @IsString()
  @MinLength(1)
  agentsAddress!: string;

  @IsString()
  @MinLength(1)
  telephonyAddress!: string;

  @IsString()
  @MinLength(1)
  voiceStackAddress!: string;

  /** EXTRACTION_SIMULATOR: whether data may be extracted by rules, without a model. Default: on in development, off in production. */
  @IsOptional()
  @IsIn(['on', 'off'])
  extractionSimulator?: 'on' | 'off';

  /** EXTRACTION_CONCURRENCY: maximum number of concurrent extractions of this process. One organization can use at most a quarter of them. */
  @IsInt()
  @Min(4)
  @Max(256)
  extractionConcurrency: number = 32;

  /** WEBHOOK_ALLOWED_CIDRS: CIDR blocks of in-cluster servers that credentials may name, separated by commas. Default: none. */
  @IsOptional()
  @Readable((allowedCidrs) => createAddressPolicy({ development: false, allowedCidrs }))
  webhookAllowedCidrs?: string;

  /** WEBHOOK_ALLOWED_HOSTS: host names of in-cluster servers, separated by commas. Default: none. */
  @IsOptional()
  @IsString()
  webhookAllowedHosts?: string;
}

export const rulesMayExtract = ({ extractionSimulator, parleyEnv }: InsightsConfig): boolean =>
  (extractionSimulator ?? (parleyEnv === 'development' ? 'on' : 'off')) === 'on';
