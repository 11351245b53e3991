import { BaseConfig, Readable } from '@parley/runtime';
import { createAddressPolicy } from '@parley/service';
import { IsOptional, IsString, MinLength } from 'class-validator';

export class KnowledgeConfig extends BaseConfig {
  /** AUTH_ADDRESS: form `host:port`, several separated by commas, or `dns:///name:port`. */
  @IsString()
  @MinLength(1)
  authAddress!: string;

  /** AGENTS_ADDRESS: form as AUTH_ADDRESS. */
  @IsString()
  @MinLength(1)
  agentsAddress!: string;

  /** WEBHOOK_ALLOWED_CIDRS: CIDR blocks of in-cluster servers from which documents may be fetched and that credentials for embeddings may name, separated by commas. Default: none. */
  @IsOptional()
  @Readable((allowedCidrs) => createAddressPolicy({ development: false, allowedCidrs }))
  webhookAllowedCidrs?: string;

  /** WEBHOOK_ALLOWED_HOSTS: host names of in-cluster servers, separated by commas. Default: none. */
  @IsOptional()
  @IsString()
  webhookAllowedHosts?: string;
}
