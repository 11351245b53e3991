import { BaseConfig, Readable } from '@parley/runtime';
import { parseVaultKeys } from '@parley/vault';
import { createAddressPolicy } from '@parley/service';
import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { parsePeppers } from './keys';

export class AuthConfig extends BaseConfig {
  /** TOKEN_PEPPERS: `1:<base64 of 32 bytes>[,2:...]`; the last one hashes new tokens. */
  @IsString()
  @Readable(parsePeppers)
  tokenPeppers!: string;

  /** VAULT_KEYS: `<id>:<base64 of 32 bytes>`, comma-separated; the last one encrypts. */
  @IsString()
  @Readable(parseVaultKeys)
  vaultKeys!: string;

  /** WEBHOOK_ALLOWED_CIDRS: comma-separated CIDR blocks of in-cluster servers for credentials. Default: none. */
  @IsOptional()
  @Readable((allowedCidrs) => createAddressPolicy({ development: false, allowedCidrs }))
  webhookAllowedCidrs?: string;

  /** WEBHOOK_ALLOWED_HOSTS: comma-separated host names of in-cluster servers. Default: none. */
  @IsOptional()
  @IsString()
  webhookAllowedHosts?: string;

  /** RECORDINGS_BUCKET_BYTES: maximum size of the recordings bucket on the NATS server. 0 if recordings are stored elsewhere: no bucket is created. */
  @IsInt()
  @Min(0)
  @Max(2 ** 50)
  recordingsBucketBytes: number = 1024 ** 3;
}
