import type { AccountCarrier } from '@parley/contract';
import { BaseConfig, Readable } from '@parley/runtime';
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
import { carrierApiUrls } from './network';

const keptInS3 = ({ recordingsStore }: { readonly recordingsStore: string }): boolean => recordingsStore === 's3';

export class TelephonyConfig extends BaseConfig {
  constructor() {
    super();
    for (const [carrier, url] of carrierApiUrls) Reflect.set(this, apiUrlProperty(carrier), url);
  }

  /** Address of the agents service: host:port, several separated by commas, or dns:///... */
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

  /** VAULT_KEYS: `<id>:<base64 of 32 bytes>`, several separated by commas; the last one encrypts. */
  @IsString()
  @Readable(parseVaultKeys)
  vaultKeys!: string;

  /** MEDIA_STREAM_URL: the media gateway that carriers connect incoming lines to. Without it, carriers are instructed to reject incoming calls. */
  @IsOptional()
  @Matches(/^wss:\/\/[^\s]+$/)
  mediaStreamUrl?: string;

  /** MEDIA_PUBLIC_URL: the public address of the engines' media port. Without it, test calls are refused. */
  @IsOptional()
  @Matches(/^wss?:\/\/[^\s/?#]+(\/[^\s?#]*)?$/)
  mediaPublicUrl?: string;

  /** SIP_ARI_URL: the REST interface of the Asterisk for SIP trunks, such as http://asterisk:8088/ari. Without it, calls of their numbers are refused. */
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

  /** SIP_ALLOWED_CIDRS: CIDR blocks in private networks where trunks are allowed, separated by commas. None by default. */
  @IsOptional()
  @Readable((allowedCidrs) => createAddressPolicy({ development: false, allowedCidrs }))
  sipAllowedCidrs?: string;

  /** SIP_ALLOWED_HOSTS: host names in private networks where trunks are allowed, separated by commas. None by default. */
  @IsOptional()
  @IsString()
  sipAllowedHosts?: string;

  /** SIP_TRANSFER_HOSTS: hosts of SIP addresses to which calls may be transferred, in addition to those of an organization's own trunks, separated by commas. */
  @IsOptional()
  @Matches(/^[A-Za-z0-9.-]+(?:,[A-Za-z0-9.-]+)*$/)
  sipTransferHosts?: string;

  /** LINE_RING_SECONDS: how long a callee's telephone rings, and how long a caller waits for an engine with a free slot. */
  @IsInt()
  @Min(5)
  @Max(300)
  lineRingSeconds: number = 45;

  /** CARRIER_CALLS_PER_SECOND: calls placed per second through one account at a carrier, over all organizations that share it. */
  @IsInt()
  @Min(1)
  @Max(1_000)
  carrierCallsPerSecond: number = 1;

  /** ORGANIZATION_CALLS_PER_SECOND: calls per second that one organization places over lines of carriers, over all its accounts. */
  @IsInt()
  @Min(1)
  @Max(1_000)
  organizationCallsPerSecond: number = 10;

  /** LINES_BUSY_MESSAGE: what a carrier says, in English, to a caller when no engine had a free slot while the line rang. */
  @Length(1, 500)
  linesBusyMessage: string = 'All our lines are busy at the moment. Please call again later.';

  /** How long a worker's lease on a job lasts without a heartbeat. Short values are for fault tests. */
  @IsInt()
  @Min(1)
  @Max(300)
  workerLeaseSeconds: number = 15;

  /** WORKERS_MISSING_SECONDS: how long a due call waits when no worker is present that could conduct it. */
  @IsInt()
  @Min(1)
  @Max(86_400)
  workersMissingSeconds: number = 600;

  /**
   * LEASES_REAPED_AT_LEAST: how many calls of unresponsive workers may be ended per minute in any case. The limit is this number or a tenth of the leases,
   * whichever is larger.
   */
  @IsInt()
  @Min(1)
  @Max(10_000)
  leasesReapedAtLeast: number = 1;

  /** Maximum of queued calls in an organization that has no queue cap itself. */
  @IsInt()
  @Min(1)
  @Max(10_000_000)
  outboundQueueCap: number = 100_000;

  /** SCHEDULED_CALLS_CAP: maximum of calls that an organization may have scheduled at the same time. */
  @IsInt()
  @Min(1)
  @Max(1_000_000)
  scheduledCallsCap: number = 10_000;

  /** The Retry-After of outbound_call_queue_full. */
  @IsInt()
  @Min(1)
  @Max(3600)
  queueFullRetrySeconds: number = 30;

  /** PUBLIC_URL: scheme and authority at which carriers reach this platform for status webhooks. Without it they send none. */
  @IsOptional()
  @Matches(/^https?:\/\/[^\s/?#]+\/?$/)
  publicUrl?: string;

  /** Timeout of a request to a carrier. Must be below the lease of a message. */
  @IsInt()
  @Min(100)
  @Max(60_000)
  carrierTimeoutMs: number = 10_000;

  /** Lease of the process that sends a message to its carrier. Short values are for fault tests. */
  @IsInt()
  @Min(1)
  @Max(300)
  messageLeaseSeconds: number = 30;

  /** MESSAGE_STATUS_TIMEOUT_SECONDS: how long to wait for the carrier's status webhook when it is unknown whether the carrier accepted a message. */
  @IsInt()
  @Min(1)
  @Max(86_400)
  messageStatusTimeoutSeconds: number = 600;

  /** Messages that a process sends to carriers concurrently. */
  @IsInt()
  @Min(1)
  @Max(1_000)
  messageConcurrency: number = 64;

  /** SIMULATOR_CARRIER: whether simulator numbers can call and send. Default: on in development, off in production. */
  @IsOptional()
  @IsIn(['on', 'off'])
  simulatorCarrier?: 'on' | 'off';

  /** A secret: signs the webhooks that deliver messages to simulator numbers. Empty: all are rejected. */
  @IsString()
  simulatorWebhookToken: string = '';

  /** SIMULATOR_DELIVERY_DELAY_SECONDS: delay after which the simulator reports a delivery. */
  @IsNumber()
  @Min(0)
  @Max(3600)
  simulatorDeliveryDelaySeconds: number = 1;

  /**
   * The translation provider. The simulator only prefixes a text with the language. With `none` every translation fails. Default: the simulator in
   * development, none in production.
   */
  @IsOptional()
  @IsIn(['simulator', 'deepl', 'none'])
  translationProvider?: 'simulator' | 'deepl' | 'none';

  /** DeepL's API or a compatible server. */
  @Matches(/^https?:\/\/[^\s?#]+$/)
  deeplApiUrl: string = 'https://api.deepl.com';

  /** A secret. */
  @IsString()
  deeplAuthKey: string = '';

  /** RECORDINGS_STORE: where recordings are stored. auth creates the JetStream bucket, because its size is a setting of auth. */
  @IsIn(['jetstream', 's3'])
  recordingsStore: 'jetstream' | 's3' = 'jetstream';

  /** RECORDINGS_S3_ENDPOINT: URL of an S3-compatible server. Default: AWS. */
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

  /**
   * RECORDINGS_FORMAT: the format of a recording after its call: Ogg Opus, or mu-law WAVE, which is the received audio unchanged and takes 2.7 times the
   * space.
   */
  @IsIn(['ogg', 'wav'])
  recordingsFormat: 'ogg' | 'wav' = 'ogg';

  /** RECORDING_GRACE_SECONDS: how long to wait for further parts of a recording after the latest one, once the call is over. */
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

/** The property for <NAME>_API_URL: the address of the carrier's own API, or of a compatible server. */
const apiUrlProperty = (carrier: string): string => `${carrier}ApiUrl`;

for (const carrier of carrierApiUrls.keys()) {
  Matches(/^https?:\/\/[^\s?#]+$/)(TelephonyConfig.prototype, apiUrlProperty(carrier));
}

export const carrierApiUrl = (config: TelephonyConfig, carrier: AccountCarrier): string =>
  String(Reflect.get(config, apiUrlProperty(carrier)));
