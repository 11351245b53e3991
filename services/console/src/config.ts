import { BaseConfig } from '@parley/runtime';
import { parseVaultKeys } from '@parley/vault';
import { IsIn, IsInt, IsOptional, IsUrl, Matches, Max, Min, ValidateBy } from 'class-validator';

function settingError(value: unknown): string | undefined {
  try {
    parseVaultKeys(String(value));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export class ConsoleConfig extends BaseConfig {
  /** GATEWAY_URL: the base URL of the platform. */
  @IsUrl(
    { require_tld: false, protocols: ['http', 'https'], require_protocol: true },
    { message: 'must be an http(s) URL' },
  )
  gatewayUrl!: string;

  /**
   * GATEWAY_TLS: `internal` for mutual TLS on the gateway's internal port, with certificates of this installation's authority; `public` for a public address.
   */
  @IsIn(['internal', 'public'])
  gatewayTls: 'internal' | 'public' = 'public';

  /** TRUSTED_PROXIES: how many proxies in front of this process append to X-Forwarded-For. */
  @IsInt()
  @Min(0)
  @Max(10)
  trustedProxies: number = 0;

  /** CONSOLE_KEYS: encrypts session cookies; `k1:<base64 of 32 bytes>`, comma-separated; the last one encrypts. */
  @ValidateBy({
    name: 'keyRing',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && settingError(value) === undefined,
      defaultMessage: (args) => settingError(args?.value) ?? '',
    },
  })
  consoleKeys!: string;

  /** MEDIA_PUBLIC_URL: the public address of the engines' media port. Pages connect only to it and to their own origin. */
  @IsOptional()
  @Matches(/^wss?:\/\/[^?#\s"';,<>&]+$/, { message: 'must be a ws(s) URL without a query' })
  mediaPublicUrl?: string;

  /** PUBLIC_URL: the public address of the platform. If it is https, responses contain HSTS for browsers. */
  @IsOptional()
  @Matches(/^https?:\/\/[^?#\s]+$/, { message: 'must be an http(s) URL without a query' })
  publicUrl?: string;
}
