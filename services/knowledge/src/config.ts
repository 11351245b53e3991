import { BaseConfig, Readable } from '@parley/runtime';
import { createAddressPolicy } from '@parley/service';
import { IsOptional, IsString } from 'class-validator';

export class KnowledgeConfig extends BaseConfig {
  /** WEBHOOK_ALLOWED_CIDRS: CIDR blocks of in-cluster servers that documents may be fetched from, separated by commas. None by default. */
  @IsOptional()
  @Readable((allowedCidrs) => createAddressPolicy({ development: false, allowedCidrs }))
  webhookAllowedCidrs?: string;

  /** WEBHOOK_ALLOWED_HOSTS: host names of in-cluster servers, separated by commas. None by default. */
  @IsOptional()
  @IsString()
  webhookAllowedHosts?: string;
}
