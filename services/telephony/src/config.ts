import type { AccountCarrier } from '@parley/contract';
import { BaseConfig, PreviouslyNamed, Readable } from '@parley/runtime';
import { ariUrlForm, createAddressPolicy } from '@parley/service';
import { parseVaultKeys } from '@parley/vault';
import {
  IsIn,
  IsInt,
  IsNotEmpty,
  IsNumber,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  Min,
  ValidateIf,
} from 'class-validator';
import { carrierApiUrls } from './carriers';

const keptInS3 = ({ recordingsStore }: { readonly recordingsStore: string }): boolean => recordingsStore === 's3';

export class TelephonyConfig extends BaseConfig {
  constructor() {
    super();
    for (const [carrier, url] of carrierApiUrls) Reflect.set(this, apiUrlProperty(carrier), url);
  }

  /** Of the agents service: host:port, several by comma, or dns:///... */
  @IsString()
  agentsAddress!: string;

  @IsString()
  voiceStackAddress!: string;

  @IsString()
  authAddress!: string;

  @IsString()
  knowledgeAddress!: string;

  @IsString()
  webhooksAddress!: string;

  /** VAULT_KEYS: `<id>:<base64 of 32 bytes>`, several by comma; the last one seals. */
  @IsString()
  @Readable(parseVaultKeys)
  vaultKeys!: string;

  /** MEDIA_STREAM_URL: the media gateway that carriers connect incoming lines to. Without it carriers are asked to reject them. */
  @IsOptional()
  @Matches(/^wss:\/\/[^\s]+$/)
  mediaStreamUrl?: string;

  /** MEDIA_PUBLIC_URL: where the media port of the engines is reached from outside. Without it test calls are refused. */
  @IsOptional()
  @Matches(/^wss?:\/\/[^\s/?#]+(\/[^\s?#]*)?$/)
  mediaPublicUrl?: string;

  /** SIP_ARI_URL: the REST interface of the Asterisk of SIP trunks, such as http://asterisk:8088/ari. Without it calls of such numbers are refused. */
  @IsOptional()
  @Matches(ariUrlForm)
  sipAriUrl?: string;

  @IsString()
  sipAriUser: string = 'parley';

  /** A secret. */
  @IsString()
  sipAriPassword: string = '';

  @IsInt()
  @Min(100)
  @Max(60_000)
  sipAriTimeoutMs: number = 5_000;

  /** SIP_ALLOWED_CIDRS: CIDR blocks in private networks that trunks may lie at, by comma. None by default. */
  @IsOptional()
  @Readable((allowedCidrs) => createAddressPolicy({ development: false, allowedCidrs }))
  sipAllowedCidrs?: string;

  /** SIP_ALLOWED_HOSTS: names in private networks that trunks may lie at, by comma. None by default. */
  @IsOptional()
  @IsString()
  sipAllowedHosts?: string;

  /** LINE_RING_SECONDS: how long the telephone of a callee rings, and how long a caller waits for an engine that has room. */
  @IsInt()
  @Min(5)
  @Max(300)
  lineRingSeconds: number = 45;

  /** CARRIER_CALLS_PER_SECOND: calls that are placed through one account at a carrier in a second, of all organizations that share it. */
  @IsInt()
  @Min(1)
  @Max(1_000)
  carrierCallsPerSecond: number = 1;

  /** ORGANIZATION_CALLS_PER_SECOND: calls that one organization places over lines of carriers in a second, through all of its accounts. */
  @IsInt()
  @Min(1)
  @Max(1_000)
  organizationCallsPerSecond: number = 10;

  /** LINES_BUSY_MESSAGE: what a carrier says, in English, to a caller for whom no engine had room while it rang. */
  @Length(1, 500)
  linesBusyMessage: string = 'All our lines are busy at the moment. Please call again later.';

  /** How long a worker holds a job without a heartbeat. Short ones are for fault tests. */
  @IsInt()
  @Min(1)
  @Max(300)
  workerLeaseSeconds: number = 15;

  /** WORKERS_MISSING_SECONDS: how long a call that is due waits while no worker is there that could conduct it. */
  @IsInt()
  @Min(1)
  @Max(86_400)
  workersMissingSeconds: number = 600;

  /** LEASES_REAPED_AT_LEAST: calls of silent workers that may be ended in a minute however few leases there are; of many it is a tenth of them. */
  @IsInt()
  @Min(1)
  @Max(10_000)
  leasesReapedAtLeast: number = 1;

  /** Calls that may wait at once in an organization without a cap of its own. */
  @IsInt()
  @Min(1)
  @Max(10_000_000)
  outboundQueueCap: number = 100_000;

  /** BOOKED_CALLS_CAP: calls that may be booked for later at once in an organization. */
  @IsInt()
  @Min(1)
  @Max(1_000_000)
  bookedCallsCap: number = 10_000;

  /** The Retry-After of outbound_call_queue_full. */
  @IsInt()
  @Min(1)
  @Max(3600)
  queueFullRetrySeconds: number = 30;

  /** PUBLIC_URL: scheme and authority that carriers know this platform by; they report there. Without it they report nowhere. */
  @IsOptional()
  @Matches(/^https?:\/\/[^\s/?#]+\/?$/)
  publicUrl?: string;

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

  /** MESSAGE_STATUS_TIMEOUT_SECONDS: how long to wait for the carrier's own report where it is unknown whether it accepted a message. */
  @PreviouslyNamed('MESSAGE_OUTCOME_SECONDS', '0.3.0')
  @IsInt()
  @Min(1)
  @Max(86_400)
  messageStatusTimeoutSeconds: number = 600;

  /** Messages that a process hands to carriers at once. */
  @IsInt()
  @Min(1)
  @Max(1_000)
  messageConcurrency: number = 64;

  /** SIMULATOR_CARRIER: whether numbers of the simulator call and send. On in development, off in production, unless set. */
  @IsOptional()
  @IsIn(['on', 'off'])
  simulatorCarrier?: 'on' | 'off';

  /** A secret: signs the webhooks by which messages come in at numbers of the simulator. Empty: none come in. */
  @IsString()
  simulatorWebhookToken: string = '';

  /** SIMULATOR_DELIVERY_DELAY_SECONDS: after how long the simulator reports a delivery. */
  @PreviouslyNamed('SIMULATOR_REPORT_SECONDS', '0.3.0')
  @IsNumber()
  @Min(0)
  @Max(3600)
  simulatorDeliveryDelaySeconds: number = 1;

  /**
   * Who translates. The simulator puts the language in front of a text and translates nothing. With none every translation fails. The simulator in
   * development, none in production, unless set.
   */
  @IsOptional()
  @IsIn(['simulator', 'deepl', 'none'])
  translationProvider?: 'simulator' | 'deepl' | 'none';

  /** Or a server that speaks its protocol. */
  @Matches(/^https?:\/\/[^\s?#]+$/)
  deeplApiUrl: string = 'https://api.deepl.com';

  /** A secret. */
  @IsString()
  deeplAuthKey: string = '';

  /** RECORDINGS_STORE: where recordings are kept. The bucket of JetStream is made by auth, which has its size. */
  @IsIn(['jetstream', 's3'])
  recordingsStore: 'jetstream' | 's3' = 'jetstream';

  /** RECORDINGS_S3_ENDPOINT: of a server that speaks S3; without it AWS. */
  @IsOptional()
  @Matches(/^https?:\/\/[^\s?#]+$/)
  recordingsS3Endpoint?: string;

  @IsString()
  recordingsS3Region: string = 'us-east-1';

  @ValidateIf(keptInS3)
  @Length(3, 63)
  recordingsS3Bucket: string = '';

  /** A secret. */
  @ValidateIf(keptInS3)
  @IsNotEmpty()
  recordingsS3AccessKeyId: string = '';

  /** A secret. */
  @ValidateIf(keptInS3)
  @IsNotEmpty()
  recordingsS3SecretAccessKey: string = '';

  /** RECORDINGS_FORMAT: what recordings are made into once their call is over: Ogg Opus, or mu-law WAVE, which is the sound as it came in 2.7 times the room. */
  @IsIn(['ogg', 'wav'])
  recordingsFormat: 'ogg' | 'wav' = 'ogg';

  /** RECORDING_GRACE_SECONDS: how long parts of a recording are waited for after the last one, once the call is over. */
  @IsInt()
  @Min(1)
  @Max(86_400)
  recordingGraceSeconds: number = 600;
}

const developing = ({ parleyEnv }: Pick<TelephonyConfig, 'parleyEnv'>): boolean => parleyEnv === 'development';

export const simulatorOn = (config: Pick<TelephonyConfig, 'parleyEnv' | 'simulatorCarrier'>): boolean =>
  (config.simulatorCarrier ?? (developing(config) ? 'on' : 'off')) === 'on';

export const translatedBy = (
  config: Pick<TelephonyConfig, 'parleyEnv' | 'translationProvider'>,
): 'simulator' | 'deepl' | 'none' => config.translationProvider ?? (developing(config) ? 'simulator' : 'none');

/** Read as <NAME>_API_URL: the carrier's own API, or a server that speaks its protocol. */
const apiUrlProperty = (carrier: string): string => `${carrier}ApiUrl`;

for (const carrier of carrierApiUrls.keys()) {
  Matches(/^https?:\/\/[^\s?#]+$/)(TelephonyConfig.prototype, apiUrlProperty(carrier));
}

export const carrierApiUrl = (config: TelephonyConfig, carrier: AccountCarrier): string =>
  String(Reflect.get(config, apiUrlProperty(carrier)));
