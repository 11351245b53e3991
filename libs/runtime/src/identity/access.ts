/** The services that have an identity in a certificate. */
export const serviceNames = [
  'gateway',
  'auth',
  'agents',
  'voice-stack',
  'knowledge',
  'telephony',
  'webhooks',
  'insights',
  'engine',
  'console',
] as const;
export type ServiceName = (typeof serviceNames)[number];

/** Who may call a method. */
export interface Access {
  /** The services whose certificates are accepted. */
  readonly peers: readonly string[];
  /**
   * On whose behalf requests are accepted. `signed`: a client's caller with the gateway's signature; `service`: the calling service itself; `either`: both. A
   * request without a caller is always refused.
   */
  readonly callers: 'signed' | 'service' | 'either';
}

interface ServiceAccess extends Access {
  /** Exceptions for individual methods, by their name in the contract. */
  readonly methods?: Readonly<Record<string, Access>>;
}

const fromGateway: Access = { peers: ['gateway'], callers: 'signed' };
const ofGateway: Access = { peers: ['gateway'], callers: 'service' };

/** All gRPC services of the platform. A service that is missing here cannot be served. */
const table: Readonly<Record<string, ServiceAccess>> = {
  'parley.public.v1.PublicService': fromGateway,
  'parley.auth.v1.AuthService': {
    peers: ['gateway', 'agents', 'telephony'],
    callers: 'service',
    methods: {
      // When these methods are called, the caller is not authenticated yet.
      VerifyToken: ofGateway,
      VerifyTokens: ofGateway,
      RecordKeyUsage: ofGateway,
      NoteKeysUsed: ofGateway,
      FindComponentCredentials: { peers: ['agents', 'insights', 'knowledge'], callers: 'either' },
      // Called on behalf of the caller whose lease or scope telephony has checked, because the audit log records that caller.
      LeaseComponentCredentials: { peers: ['telephony'], callers: 'signed' },
      PutVerificationDocument: fromGateway,
      // Called on behalf of the client that lists voices or requests previews, and also for publications, which telephony requests too, and for embeddings.
      OpenComponentCredential: { peers: ['voice-stack', 'insights', 'knowledge'], callers: 'either' },
    },
  },
  'parley.agents.v1.AgentsService': {
    peers: ['telephony'],
    callers: 'either',
    methods: {
      GetCallSecrets: { peers: ['telephony', 'insights'], callers: 'service' },
      GetAgentForSimulation: { peers: ['insights'], callers: 'either' },
      FindAgentWithBase: { peers: ['knowledge'], callers: 'either' },
      GetAgentForCall: { peers: ['telephony', 'insights'], callers: 'either' },
    },
  },
  'parley.voice_stack.v1.VoiceStackService': {
    peers: ['agents', 'telephony', 'insights'],
    callers: 'either',
    methods: { GetPlatformCredentials: { peers: ['telephony', 'insights'], callers: 'service' } },
  },
  'parley.knowledge.v1.KnowledgeService': {
    ...fromGateway,
    methods: {
      FindBases: { peers: ['agents'], callers: 'either' },
      // Called for a call whose lease telephony has checked.
      Ask: { peers: ['telephony'], callers: 'service' },
    },
  },
  'parley.telephony.v1.TelephonyService': {
    ...fromGateway,
    methods: {
      CheckConfiguration: { peers: ['agents'], callers: 'either' },
      // Carriers have no key; their webhooks are signed.
      ReceiveCarrierCall: ofGateway,
      ReceiveCarrierCallStatus: ofGateway,
      ReceiveCarrierMessage: ofGateway,
      ReceiveCarrierReport: ofGateway,
      // Visitors of demos have no key; their link has a token.
      CheckDemo: ofGateway,
      StartDemoChat: ofGateway,
      TakeDemoTurn: ofGateway,
      EndDemoChat: ofGateway,
      StartDemoCall: ofGateway,
      HasLiveCalls: { peers: ['agents'], callers: 'either' },
      EndDraftCalls: { peers: ['agents'], callers: 'either' },
      ReadForExtraction: { peers: ['insights'], callers: 'service' },
      RecordExtraction: { peers: ['insights'], callers: 'service' },
      ListTranscribedCalls: { peers: ['insights'], callers: 'service' },
    },
  },
  'parley.webhooks.v1.WebhooksService': {
    ...fromGateway,
    methods: {
      FindAudioStream: { peers: ['agents'], callers: 'either' },
      EraseEvents: { peers: ['telephony'], callers: 'service' },
    },
  },
};

/**
 * Who may call a method.
 * @param path for example /parley.auth.v1.AuthService/VerifyToken
 * @throws Error for a service that is missing in the table
 */
export function accessOf(path: string): Access {
  const [, service = '', method = ''] = path.split('/');
  const access = table[service];
  if (access === undefined)
    throw new Error(`libs/runtime/src/identity/access.ts does not list who may call ${service}`);
  return access.methods?.[method] ?? access;
}

/** The methods with a separate entry in the table, as `<service>/<method>`. */
export const methodsNamed = (): string[] =>
  Object.entries(table).flatMap(([service, { methods = {} }]) =>
    Object.keys(methods).map((name) => `${service}/${name}`),
  );

/**
 * The service that serves a typed gRPC service.
 * @param path the path of any of its methods
 * @returns undefined for gRPC services that several services serve, such as PublicService
 */
export function serverOf(path: string): ServiceName | undefined {
  const name = /^\/parley\.(\w+)\./.exec(path)?.[1]?.replaceAll('_', '-');
  return serviceNames.find((one) => one === name);
}
