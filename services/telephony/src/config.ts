import { BaseConfig, Readable } from '@parley/runtime';
import { parseVaultKeys } from '@parley/vault';
import { IsIn, IsInt, IsNumber, IsOptional, IsString, Matches, Max, Min } from 'class-validator';

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

  /** PUBLIC_URL: scheme and authority that carriers know this platform by; they report there. Without it they report nowhere. */
  @IsOptional()
  @Matches(/^https?:\/\/[^\s/?#]+\/?$/)
  publicUrl?: string;

  /** TWILIO_API_URL: Twilio's, or a server's that speaks its protocol. */
  @Matches(/^https?:\/\/[^\s?#]+$/)
  twilioApiUrl: string = 'https://api.twilio.com';

  /** How long a carrier may take to answer. Below the lease of a message. */
  @IsInt()
  @Min(100)
  @Max(60_000)
  carrierTimeoutMs: number = 10_000;

  /** How long a process alone may hand a message to its carrier. Short ones are for fault tests. */
  @IsInt()
  @Min(1)
  @Max(300)
  messageLeaseSeconds: number = 30;

  /** How long the carrier's own report is waited for when nobody knows whether it took a message. */
  @IsInt()
  @Min(1)
  @Max(86_400)
  messageOutcomeSeconds: number = 600;

  /** Messages that a process hands to carriers at once. */
  @IsInt()
  @Min(1)
  @Max(1_000)
  messageConcurrency: number = 64;

  /** A secret: signs the webhooks by which messages come in at numbers of the simulator. Empty: none come in. */
  @IsString()
  simulatorWebhookToken: string = '';

  /** After how long the simulator reports a delivery. */
  @IsNumber()
  @Min(0)
  @Max(3600)
  simulatorReportSeconds: number = 1;

  /** Who translates. The simulator puts the language in front of a text and translates nothing. */
  @IsIn(['simulator', 'deepl'])
  translationProvider: 'simulator' | 'deepl' = 'simulator';

  /** Or a server that speaks its protocol. */
  @Matches(/^https?:\/\/[^\s?#]+$/)
  deeplApiUrl: string = 'https://api.deepl.com';

  /** A secret. */
  @IsString()
  deeplAuthKey: string = '';
}
