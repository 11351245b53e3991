import { BaseConfig, Readable } from '@parley/runtime';
import { createAddressPolicy } from '@parley/service';
import { IsOptional, IsString } from 'class-validator';

export class KnowledgeConfig extends BaseConfig {
  /** WEBHOOK_ALLOWED_CIDRS: CIDR blocks of in-cluster servers from which documents may be fetched, separated by commas. Default: none. */
  @IsOptional()
  @Readable((allowedCidrs) => createAddressPolicy({ development: false, allowedCidrs }))
  webhookAllowedCidrs?: string;

  /** WEBHOOK_ALLOWED_HOSTS: host names of in-cluster servers, separated by commas. Default: none. */
  @IsOptional()
  @IsString()
  webhookAllowedHosts?: string;
}
