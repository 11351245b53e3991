import { parseToken, type TokenPrefix } from '@parley/contract';
import { BaseConfig, Readable } from '@parley/runtime';
import { ariUrlForm, createAddressPolicy } from '@parley/service';
import { IsIn, IsInt, IsOptional, IsString, IsUrl, Matches, Max, Min, ValidateBy, ValidateIf } from 'class-validator';

/** Validates the kind of a credential: one of another kind prevents startup (docs/reference/keys.md). */
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

/** Whether this worker accepts test calls, and calls over media streams of carriers. */
export const takesTestCalls = ({ mediaPort, testCallConductor }: EngineConfig): boolean =>
  mediaPort !== undefined && testCallConductor !== 'none';

/** Whether spoken simulations leave the slots that calls need at least. */
const leavesRoom = ({ simulationSpokenCapacity, engineCapacity, serviceWorkerApiToken }: EngineConfig): boolean =>
  simulationSpokenCapacity === 0 ||
  simulationSpokenCapacity + (serviceWorkerApiToken === undefined ? 0 : 2) <= engineCapacity;

export class EngineConfig extends BaseConfig {
  /** DRAIN_SECONDS: the longest call (1740 s) plus the time to complete it, because draining waits for calls in progress. */
  override drainSeconds: number = 1860;

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

  /**
   * SERVICE_WORKER_API_TOKEN: the key with which this worker claims calls. Without it the worker conducts no calls, and SIMULATION_WORKER_API_TOKEN is
   * required.
   */
  @ValidateIf(
    (config: EngineConfig) =>
      config.serviceWorkerApiToken !== undefined || config.simulationWorkerApiToken === undefined,
  )
  @Token('tai_', 'a tai_ key; a gateway token (tgw_) has no authority over worker jobs')
  serviceWorkerApiToken?: string;

  /**
   * SIMULATION_WORKER_API_TOKEN: the key of a hosted simulation runner. With it this worker runs simulated conversations, in addition to calls if both keys are
   * set.
   */
  @IsOptional()
  @Token('tai_', 'a tai_ key, of a hosted simulation runner')
  simulationWorkerApiToken?: string;

  /** SIMULATION_CAPACITY: concurrent simulation jobs. */
  @IsInt()
  @Min(1)
  @Max(100)
  simulationCapacity: number = 4;

  /**
   * SIMULATION_SPOKEN_CAPACITY: concurrent spoken simulations, which take their slots from ENGINE_CAPACITY; 0: this worker has none. They need
   * SIMULATION_WORKER_API_TOKEN.
   */
  @IsInt()
  @ValidateBy({
    name: 'roomForCalls',
    validator: {
      validate: (_, args) => leavesRoom(args?.object as EngineConfig),
      defaultMessage: () => 'must leave 2 slots of ENGINE_CAPACITY for calls',
    },
  })
  @Min(0)
  @Max(50)
  simulationSpokenCapacity: number = 0;

  /** SERVICE_GATEWAY_API_TOKEN: not used by this worker; read only to report a misplaced key. */
  @IsOptional()
  @Token('tgw_', 'a gateway token (tgw_); a tai_ key never belongs in it')
  serviceGatewayApiToken?: string;

  /** SERVICE_ORGANIZATION_ID: the organization of a self-hosted worker. */
  @IsOptional()
  @Matches(/^org_[0-9a-z]{26}$/, { message: 'must be an organization id' })
  serviceOrganizationId?: string;

  /** SIMULATOR_CARRIER: whether calls from the simulator's numbers are accepted. Default: on in development, off in production. */
  @IsOptional()
  @IsIn(['on', 'off'])
  simulatorCarrier?: 'on' | 'off';

  /** ENGINE_CHATS: concurrent chats, in addition to calls; 0 disables chats. */
  @IsInt()
  @Min(0)
  @Max(1_000)
  engineChats: number = 50;

  /** MEDIA_PORT: the port for test calls; 0 selects a free one. If unset, this worker accepts none. */
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(65_535)
  mediaPort?: number;

  @IsString()
  mediaHost: string = '0.0.0.0';

  /** MEDIA_REFUSED_PER_MINUTE: tokens without the platform's signature that it may refuse, before further ones are turned away unasked until the next minute. */
  @IsInt()
  @Min(1)
  @Max(10_000)
  mediaRefusedPerMinute: number = 30;

  /** MEDIA_ORIGINS: allowed origins, such as https://console.example.com, comma-separated. Clients other than browsers send no Origin. */
  @Matches(/^(https?:\/\/[^\s/,?#]+(,https?:\/\/[^\s/,?#]+)*)?$/, { message: 'must be origins, separated by commas' })
  mediaOrigins: string = '';

  /**
   * TEST_CALL_CONDUCTOR: what conducts test calls and calls over streams of carriers. `agent`: the components that the agent selects. `offline`: the same, but
   * with offline speech in English instead of the simulated transcriber and voice. `parrot` repeats what it hears, for tests of lines. Production refuses
   * `offline` and `parrot`. With `none` such calls are not accepted.
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

  /** WEBHOOK_ALLOWED_CIDRS: comma-separated CIDR blocks of in-cluster servers that tools and providers may use. Default: none. */
  @IsOptional()
  @Readable((allowedCidrs) => createAddressPolicy({ development: false, allowedCidrs }))
  webhookAllowedCidrs?: string;

  /** WEBHOOK_ALLOWED_HOSTS: comma-separated host names of in-cluster servers. Default: none. */
  @IsOptional()
  @IsString()
  webhookAllowedHosts?: string;

  /** SIP_ARI_URL: the Asterisk REST Interface (ARI) for SIP trunks, such as http://asterisk:8088/ari. If unset, keys are sent as in-band tones. */
  @IsOptional()
  @Matches(ariUrlForm)
  sipAriUrl?: string;

  @IsString()
  sipAriUser: string = 'parley';

  /** SIP_ARI_PASSWORD: the password of the ARI user; a secret. */
  @IsString()
  sipAriPassword: string = '';

  @IsInt()
  @Min(100)
  @Max(60_000)
  sipAriTimeoutMs: number = 5_000;

  /** ENGINE_CAPACITY: concurrent calls. Some slots are reserved for test calls if those are accepted, so 1 is too few. */
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
