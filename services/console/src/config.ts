import { BaseConfig } from '@parley/runtime';
import { parseVaultKeys } from '@parley/vault';
import { IsIn, IsOptional, IsUrl, Matches, ValidateBy } from 'class-validator';

function settingError(value: unknown): string | undefined {
  try {
    parseVaultKeys(String(value));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export class ConsoleConfig extends BaseConfig {
  /** GATEWAY_URL: where the platform answers. */
  @IsUrl(
    { require_tld: false, protocols: ['http', 'https'], require_protocol: true },
    { message: 'must be an http(s) URL' },
  )
  gatewayUrl!: string;

  /**
   * GATEWAY_TLS: `internal` for the gateway's internal port, where both sides show a certificate of this installation's authority; `public` for an
   * address like any client's.
   */
  @IsIn(['internal', 'public'])
  gatewayTls: 'internal' | 'public' = 'public';

  /** CONSOLE_KEYS: seals the cookies of sessions; `k1:<base64 of 32 bytes>`, several by comma, of which the last one seals. */
  @ValidateBy({
    name: 'keyRing',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && settingError(value) === undefined,
      defaultMessage: (args) => settingError(args?.value) ?? '',
    },
  })
  consoleKeys!: string;

  /** MEDIA_PUBLIC_URL: where browsers reach the media port of the engines. Pages connect to no other address than this and their own. */
  @IsOptional()
  @Matches(/^wss?:\/\/[^?#\s"';,<>&]+$/, { message: 'must be a ws(s) URL without a query' })
  mediaPublicUrl?: string;
}
