import { BaseConfig, Readable } from '@parley/runtime';
import { createAddressPolicy } from '@parley/service';
import { parseVaultKeys } from '@parley/vault';
import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';

export class WebhooksConfig extends BaseConfig {
  /** VAULT_KEYS: <id>:<base64 of 32 bytes>, several separated by commas; the last one encrypts. */
  @IsString()
  @Readable(parseVaultKeys)
  vaultKeys!: string;

  /** WEBHOOK_ALLOWED_CIDRS: CIDR blocks of in-cluster receivers, separated by commas. None by default. */
  @IsOptional()
  @Readable((allowedCidrs) => createAddressPolicy({ development: false, allowedCidrs }))
  webhookAllowedCidrs?: string;

  /** WEBHOOK_ALLOWED_HOSTS: host names of in-cluster receivers, separated by commas; every address to which they resolve is allowed. None by default. */
  @IsOptional()
  @IsString()
  webhookAllowedHosts?: string;

  /** WEBHOOK_MAX_ENDPOINTS: maximum of agent endpoints per organization. */
  @IsInt()
  @Min(1)
  @Max(10_000)
  webhookMaxEndpoints: number = 20;

  /** WEBHOOK_MAX_CONCURRENCY: maximum of concurrent attempts of this process. */
  @IsInt()
  @Min(16)
  @Max(4096)
  webhookMaxConcurrency: number = 256;

  /**
   * WEBHOOK_LEASE_SECONDS: how long a replica leases an endpoint's deliveries. After a replica died, its deliveries wait for this time and up to two seconds
   * more, until another replica finds them. Leases are renewed after half of this time, those of one second after a quarter.
   */
  @IsInt()
  @Min(1)
  @Max(120)
  webhookLeaseSeconds: number = 5;
}
