import { BaseConfig, PreviouslyNamed, Readable } from '@parley/runtime';
import { createAddressPolicy } from '@parley/service';
import { parseVaultKeys } from '@parley/vault';
import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';

export class WebhooksConfig extends BaseConfig {
  /** VAULT_KEYS: <id>:<base64 of 32 bytes>, several by comma; the last one seals. */
  @IsString()
  @Readable(parseVaultKeys)
  vaultKeys!: string;

  /** CIDR blocks of in-cluster receivers, by comma. None by default. */
  @IsOptional()
  @Readable((allowedCidrs) => createAddressPolicy({ development: false, allowedCidrs }))
  webhookAllowedCidrs?: string;

  /** Names of in-cluster receivers, by comma; whatever they resolve to is allowed. None by default. */
  @IsOptional()
  @IsString()
  webhookAllowedHosts?: string;

  /** WEBHOOK_MAX_ENDPOINTS: agent endpoints that an organization may have. */
  @IsInt()
  @Min(1)
  @Max(10_000)
  webhookMaxEndpoints: number = 20;

  /** WEBHOOK_MAX_CONCURRENCY: attempts under way at once in this process. */
  @PreviouslyNamed('WEBHOOK_SLOTS', '0.3.0')
  @IsInt()
  @Min(16)
  @Max(4096)
  webhookMaxConcurrency: number = 256;

  /**
   * WEBHOOK_LEASE_SECONDS: how long a replica leases an endpoint's deliveries; those of a dead replica wait no longer. Renewed every quarter of it.
   */
  @PreviouslyNamed('LANE_LEASE_SECONDS', '0.3.0')
  @IsInt()
  @Min(1)
  @Max(120)
  webhookLeaseSeconds: number = 5;
}
