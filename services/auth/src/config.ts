import { BaseConfig, Readable } from '@parley/runtime';
import { parseVaultKeys } from '@parley/vault';
import { createAddressPolicy } from '@parley/service';
import { IsInt, IsOptional, IsString, Matches, Max, Min, ValidateIf } from 'class-validator';
import { parsePeppers } from './keys';
import { parseProviderSecrets } from './verifications';

const noneNamed = ({ verificationProviderUrl: url, verificationProviderSecret: secret }: AuthConfig): boolean =>
  url === undefined && secret === undefined;

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

  /** VERIFICATION_PROVIDER_URL: the operator's provider of identity checks (docs/verification.md). Default: none; verifications are refused. */
  @ValidateIf((config: AuthConfig) => !noneNamed(config))
  @Matches(/^https?:\/\/[^\s?#@]+$/, { message: 'must be an http:// or https:// URL without a query' })
  verificationProviderUrl?: string;

  /** VERIFICATION_PROVIDER_SECRET: signs the requests to it; `whsec_…`, or several separated by commas. Needed with its URL. */
  @ValidateIf((config: AuthConfig) => !noneNamed(config))
  @Readable(parseProviderSecrets)
  verificationProviderSecret?: string;

  /** RECORDINGS_BUCKET_BYTES: maximum size of the recordings bucket on the NATS server. 0 if recordings are stored elsewhere: no bucket is created. */
  @IsInt()
  @Min(0)
  @Max(2 ** 50)
  recordingsBucketBytes: number = 1024 ** 3;

  /** AUDIT_RETENTION_DAYS: days after which entries of the audit log are deleted; at least 365. */
  @IsInt()
  @Min(365)
  @Max(36_500)
  auditRetentionDays: number = 730;
}
