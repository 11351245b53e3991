import { BaseConfig } from '@parley/runtime';
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

/** Addresses of services are `host:port`, several separated by commas, or `dns:///name:port`. */
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

  /** RATE_LIMITS: `<organization id>=<requests>/<seconds>`, comma-separated. Default: none. */
  @IsOptional()
  @ValidateBy({
    name: 'rateLimits',
    validator: {
      validate: (value: unknown) => settingError(value) === undefined,
      defaultMessage: (args) => settingError(args?.value) ?? '',
    },
  })
  rateLimits?: string;

  /** REQUESTS_PER_KEY_PER_MINUTE: requests per minute and replica of a key that has no other limit, except keys of workers; 0: none. */
  @IsInt()
  @Min(0)
  @Max(100_000)
  requestsPerKeyPerMinute: number = 6_000;

  /** BODY_BUDGET_MIB: bytes of request bodies that this process holds at once. The chart's limit of memory follows from it. */
  @IsInt()
  @Min(8)
  @Max(4_096)
  bodyBudgetMib: number = 32;

  /** BODY_BUDGET_PER_CLIENT_MIB: those of them for each client address, and for each key. */
  @IsInt()
  @Min(6)
  @Max(4_096)
  bodyBudgetPerClientMib: number = 12;

  /** INVALID_KEYS_PER_MINUTE: unknown keys that an address may try per minute before its look-ups are slowed down. */
  @IsInt()
  @Min(1)
  @Max(1_000_000)
  invalidKeysPerMinute: number = 100;

  /** MINTS_PER_MINUTE: keys, sessions and gateway tokens that a key, its sessions and the keys that it minted may create or revoke per minute. */
  @IsInt()
  @Min(1)
  @Max(1_000_000)
  mintsPerMinute: number = 60;

  /** ORGANIZATION_MINTS_PER_MINUTE: the same for all keys of an organization. */
  @IsInt()
  @Min(1)
  @Max(1_000_000)
  organizationMintsPerMinute: number = 300;

  /** PREVIEWS_PER_MINUTE: voice previews of a key, its sessions and the keys that it minted per minute. */
  @IsInt()
  @Min(1)
  @Max(1_000_000)
  previewsPerMinute: number = 60;

  /** ORGANIZATION_PREVIEWS_PER_MINUTE: the same for all keys of an organization. */
  @IsInt()
  @Min(1)
  @Max(1_000_000)
  organizationPreviewsPerMinute: number = 300;

  /** ORGANIZATION_EVENT_STREAMS: concurrent event streams and audio connections of an organization. */
  @IsInt()
  @Min(1)
  @Max(100_000)
  organizationEventStreams: number = 100;

  /** MAX_EVENT_STREAMS: concurrent event streams and audio connections of a key, its sessions and the keys that it minted. */
  @IsInt()
  @Min(1)
  @Max(100_000)
  maxEventStreams: number = 10;

  /** TRUSTED_PROXIES: how many proxies in front of this process append to X-Forwarded-For. */
  @IsInt()
  @Min(0)
  @Max(10)
  trustedProxies: number = 0;

  /** REQUEST_TIMEOUT_SECONDS: the timeout for receiving a whole request. */
  @IsInt()
  @Min(10)
  @Max(600)
  requestTimeoutSeconds: number = 60;

  /** CARRIER_REQUESTS_PER_MINUTE: carrier webhooks per address and minute. */
  @IsInt()
  @Min(1)
  @Max(1_000_000)
  carrierRequestsPerMinute: number = 600;

  /** CARRIER_BODY_SECONDS: the timeout for receiving the form of a carrier webhook. */
  @IsInt()
  @Min(1)
  @Max(60)
  carrierBodySeconds: number = 10;

  /** PUBLIC_URL: scheme and authority with which carriers call this platform; they sign it. If unset, carrier webhooks are refused. */
  @IsOptional()
  @Matches(/^https?:\/\/[^/?#\s]+\/?$/)
  publicUrl?: string;

  /** MEDIA_PUBLIC_URL: the public address of the engines' media port, as configured in telephony. The page for test calls connects only there. */
  @IsOptional()
  @Matches(/^wss?:\/\/[^?#\s"';,<>&]+$/, { message: 'must be a ws(s) URL without a query' })
  mediaPublicUrl?: string;

  /** MCP_ALLOWED_ORIGINS: browser origins that may use /mcp, comma-separated. Default: none. */
  @IsString({ each: true })
  mcpAllowedOrigins: string[] = [];

  /** MCP_PAGE_SIZE: tools per page of tools/list. Default: all, because some clients read only one page. */
  @IsInt()
  @Min(1)
  @Max(1_000)
  mcpPageSize: number = 1_000;

  /** GUIDE_FOLDER: the pages served under /guide. Default: those of this build. */
  @IsString()
  @IsNotEmpty()
  guideFolder: string = builtGuide;
}
