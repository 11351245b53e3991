import { BaseConfig, Readable } from '@parley/runtime';
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

  /** Attempts under way at once in this process. */
  @IsInt()
  @Min(16)
  @Max(4096)
  webhookSlots: number = 256;

  /**
   * Seconds for which an endpoint's lane is leased; a dead replica's deliveries wait no longer. Renewed every quarter of them.
   */
  @IsInt()
  @Min(1)
  @Max(120)
  laneLeaseSeconds: number = 5;
}
