import { BaseConfig, Readable } from '@parley/runtime';
import { parseVaultKeys } from '@parley/vault';
import { IsInt, IsOptional, IsString, Matches, Max, Min } from 'class-validator';

export class TelephonyConfig extends BaseConfig {
  /** Of the agents service: host:port, several by comma, or dns:///... */
  @IsString()
  agentsAddress!: string;

  @IsString()
  voiceStackAddress!: string;

  @IsString()
  authAddress!: string;

  /** VAULT_KEYS: `<id>:<base64 of 32 bytes>`, several by comma; the last one seals. */
  @IsString()
  @Readable(parseVaultKeys)
  vaultKeys!: string;

  /** MEDIA_STREAM_URL: the media gateway that carriers connect incoming lines to. Without it carriers are told to reject them. */
  @IsOptional()
  @Matches(/^wss:\/\/[^\s]+$/)
  mediaStreamUrl?: string;

  /** How long a worker holds a job without a heartbeat. Short ones are for fault tests. */
  @IsInt()
  @Min(1)
  @Max(300)
  workerLeaseSeconds: number = 15;

  /** Calls that may wait at once in an organization without a cap of its own. */
  @IsInt()
  @Min(1)
  @Max(10_000_000)
  outboundQueueCap: number = 100_000;

  /** What outbound_call_queue_full tells the client to wait. */
  @IsInt()
  @Min(1)
  @Max(3600)
  queueFullRetrySeconds: number = 30;
}
