import { parseToken, type TokenPrefix } from '@parley/contract';
import { BaseConfig, Readable } from '@parley/runtime';
import { ariUrlForm, createAddressPolicy } from '@parley/service';
import { IsIn, IsInt, IsOptional, IsString, IsUrl, Matches, Max, Min, ValidateBy, ValidateIf } from 'class-validator';

/** A credential of one kind: the other kind in its place stops the start (docs/reference/keys.md). */
function Token(prefix: TokenPrefix, wrong: string): PropertyDecorator {
  return ValidateBy({
    name: 'token',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && parseToken(value)?.prefix === prefix,
      defaultMessage: (args) =>
        String(args?.value).startsWith(prefix) ? 'is mistyped: its checksum does not match' : `must be ${wrong}`,
    },
  });
}

/** Whether it takes test calls, and calls over streams of carriers. */
export const takesTestCalls = ({ mediaPort, testCallConductor }: EngineConfig): boolean =>
  mediaPort !== undefined && testCallConductor !== 'none';

export class EngineConfig extends BaseConfig {
  /** DRAIN_SECONDS: the longest call (1740 s) and what comes after it, for calls in progress are kept to their end. */
  override drainSeconds: number = 1860;

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

  /** SERVICE_WORKER_API_TOKEN: the key that this worker claims calls with. Without it, which needs the next one, it conducts none. */
  @ValidateIf(
    (config: EngineConfig) =>
      config.serviceWorkerApiToken !== undefined || config.simulationWorkerApiToken === undefined,
  )
  @Token('tai_', 'a tai_ key; a gateway token (tgw_) has no authority over worker jobs')
  serviceWorkerApiToken?: string;

  /** SIMULATION_WORKER_API_TOKEN: a hosted simulation runner's key. With it this worker has simulated conversations, next to calls where it has both keys. */
  @IsOptional()
  @Token('tai_', 'a tai_ key, of a hosted simulation runner')
  simulationWorkerApiToken?: string;

  /** SIMULATION_CAPACITY: jobs of simulated conversations at once. */
  @IsInt()
  @Min(1)
  @Max(100)
  simulationCapacity: number = 4;

  /** SERVICE_GATEWAY_API_TOKEN: not used by this worker, but a key in its place is a mistake worth a message. */
  @IsOptional()
  @Token('tgw_', 'a gateway token (tgw_); a tai_ key never belongs in it')
  serviceGatewayApiToken?: string;

  /** SERVICE_ORGANIZATION_ID, of a self-hosted worker. */
  @IsOptional()
  @Matches(/^org_[0-9a-z]{26}$/, { message: 'must be an organization id' })
  serviceOrganizationId?: string;

  /** SIMULATOR_CARRIER: whether calls from numbers of the simulator are taken. On in development, off in production, unless set. */
  @IsOptional()
  @IsIn(['on', 'off'])
  simulatorCarrier?: 'on' | 'off';

  /** ENGINE_CHATS: chats at once, besides calls; 0 for none. */
  @IsInt()
  @Min(0)
  @Max(1_000)
  engineChats: number = 50;

  /** MEDIA_PORT: where test calls are connected; 0 takes a free one. Without it this worker takes none. */
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(65_535)
  mediaPort?: number;

  @IsString()
  mediaHost: string = '0.0.0.0';

  /** MEDIA_REFUSED_PER_MINUTE: connections with a token that is not good, after which an address has to wait for the next minute. */
  @IsInt()
  @Min(1)
  @Max(10_000)
  mediaRefusedPerMinute: number = 30;

  /** MEDIA_TRUSTED_PROXIES: how many proxies before the media port append to X-Forwarded-For. */
  @IsInt()
  @Min(0)
  @Max(10)
  mediaTrustedProxies: number = 0;

  /** MEDIA_ORIGINS: pages that may connect, such as https://console.example.com, several by comma. Clients that are no browser name none. */
  @Matches(/^(https?:\/\/[^\s/,?#]+(,https?:\/\/[^\s/,?#]+)*)?$/, { message: 'must be origins, separated by commas' })
  mediaOrigins: string = '';

  /**
   * TEST_CALL_CONDUCTOR: what conducts test calls and calls over streams of carriers. `agent`: the components that the agent selects; `offline`: the same, with
   * offline speech in English in place of the simulated transcriber and voice; `parrot` repeats what it hears, for tests of lines. Production refuses the last
   * two. With `none` neither is taken.
   */
  @ValidateBy({
    name: 'runner',
    validator: {
      validate: (value, args) =>
        value === 'none' ||
        value === 'agent' ||
        ((value === 'parrot' || value === 'offline') && (args?.object as EngineConfig).parleyEnv === 'development'),
      defaultMessage: () => 'must be none or agent, or in development offline or parrot',
    },
  })
  testCallConductor: 'none' | 'agent' | 'offline' | 'parrot' = 'none';

  /** WEBHOOK_ALLOWED_CIDRS: CIDR blocks of in-cluster servers that tools and providers may be at, by comma. None by default. */
  @IsOptional()
  @Readable((allowedCidrs) => createAddressPolicy({ development: false, allowedCidrs }))
  webhookAllowedCidrs?: string;

  /** WEBHOOK_ALLOWED_HOSTS: names of in-cluster servers, by comma. None by default. */
  @IsOptional()
  @IsString()
  webhookAllowedHosts?: string;

  /** SIP_ARI_URL: the REST interface of the Asterisk of SIP trunks, such as http://asterisk:8088/ari. Without it keys are sent as tones. */
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

  /** ENGINE_CAPACITY: calls at once. Where test calls are taken some slots are kept for them, so that one is too few. */
  @IsInt()
  @ValidateBy({
    name: 'roomForTestCalls',
    validator: {
      validate: (value, args) => value !== 1 || !takesTestCalls(args?.object as EngineConfig),
      defaultMessage: () => 'must be 2 at least where test calls are taken',
    },
  })
  @Min(1)
  @Max(100)
  engineCapacity: number = 10;
}
