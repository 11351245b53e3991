import { BaseConfig, PreviouslyNamed } from '@parley/runtime';
import { IsInt, IsNotEmpty, IsOptional, IsString, Matches, Max, Min, ValidateBy } from 'class-validator';
import { parseRateLimits } from './auth';
import { builtGuide } from './docs';

function settingError(value: unknown): string | undefined {
  try {
    parseRateLimits(String(value));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Each address is `host:port`, several by comma, or `dns:///name:port`. */
export class GatewayConfig extends BaseConfig {
  @IsString()
  @IsNotEmpty()
  authAddress!: string;

  @IsString()
  @IsNotEmpty()
  agentsAddress!: string;

  @IsString()
  @IsNotEmpty()
  voiceStackAddress!: string;

  @IsString()
  @IsNotEmpty()
  knowledgeAddress!: string;

  @IsString()
  @IsNotEmpty()
  telephonyAddress!: string;

  @IsString()
  @IsNotEmpty()
  webhooksAddress!: string;

  @IsString()
  @IsNotEmpty()
  insightsAddress!: string;

  /** INTERNAL_PORT: the same routes over mutual TLS, for the installation's own workers. */
  @IsInt()
  @Min(0)
  @Max(65_535)
  internalPort: number = 8443;

  /** RATE_LIMITS: `<organization id>=<requests>/<seconds>`, several by comma. None by default. */
  @IsOptional()
  @ValidateBy({
    name: 'rateLimits',
    validator: {
      validate: (value: unknown) => settingError(value) === undefined,
      defaultMessage: (args) => settingError(args?.value) ?? '',
    },
  })
  rateLimits?: string;

  /** INVALID_KEYS_PER_MINUTE: unknown keys that an address may try in a minute before its lookups are slowed down. */
  @PreviouslyNamed('WRONG_KEY_BUDGET', '0.3.0')
  @IsInt()
  @Min(1)
  @Max(1_000_000)
  invalidKeysPerMinute: number = 100;

  /** MINTS_PER_MINUTE: keys and gateway tokens that a key may mint or revoke in a minute. */
  @IsInt()
  @Min(1)
  @Max(1_000_000)
  mintsPerMinute: number = 60;

  /** MAX_EVENT_STREAMS: server-sent event streams that a key may have open at once. */
  @IsInt()
  @Min(1)
  @Max(100_000)
  maxEventStreams: number = 10;

  /** TRUSTED_PROXIES: how many proxies before this process append to X-Forwarded-For. */
  @IsInt()
  @Min(0)
  @Max(10)
  trustedProxies: number = 0;

  /** REQUEST_TIMEOUT_SECONDS: how long a request may take to arrive whole. */
  @IsInt()
  @Min(10)
  @Max(600)
  requestTimeoutSeconds: number = 60;

  /** CARRIER_REQUESTS_PER_MINUTE: webhooks of carriers that an address may send in a minute. */
  @IsInt()
  @Min(1)
  @Max(1_000_000)
  carrierRequestsPerMinute: number = 600;

  /** CARRIER_BODY_SECONDS: how long the form of a carrier's webhook may take to arrive. */
  @IsInt()
  @Min(1)
  @Max(60)
  carrierBodySeconds: number = 10;

  /** PUBLIC_URL: scheme and authority that carriers know this platform by, which they sign. Without it no webhook of a carrier is taken. */
  @IsOptional()
  @Matches(/^https?:\/\/[^/?#\s]+\/?$/)
  publicUrl?: string;

  /** MEDIA_PUBLIC_URL: where browsers reach the media port of the engines, as telephony has it. The page for test calls connects nowhere else. */
  @IsOptional()
  @Matches(/^wss?:\/\/[^?#\s"';,<>&]+$/, { message: 'must be a ws(s) URL without a query' })
  mediaPublicUrl?: string;

  /** MCP_ALLOWED_ORIGINS: origins of browsers that may ask /mcp, by comma. None by default. */
  @IsString({ each: true })
  mcpAllowedOrigins: string[] = [];

  /** MCP_PAGE_SIZE: tools a page of tools/list. All of them by default, because some clients read one page alone. */
  @IsInt()
  @Min(1)
  @Max(1_000)
  mcpPageSize: number = 1_000;

  /** GUIDE_FOLDER: the pages that /guide shows; those of this build by default. */
  @IsString()
  @IsNotEmpty()
  guideFolder: string = builtGuide;
}
