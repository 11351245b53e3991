import { allRoutes } from '@parley/contract';
import { AuthServiceService, type AuthServiceServer } from '@parley/proto/auth';
import { KnowledgeServiceService, type KnowledgeServiceServer } from '@parley/proto/knowledge';
import { TelephonyServiceService, type TelephonyServiceServer } from '@parley/proto/telephony';
import { WebhooksServiceService, type WebhooksServiceServer } from '@parley/proto/webhooks';
import {
  BodyBudget,
  ControlStateMirror,
  HealthDefinition,
  serviceCaller,
  type Background,
  type GrpcClient,
  type HealthServer,
  type HttpEdge,
  type Infrastructure,
  type ServiceParts,
} from '@parley/runtime';
import { carrierRouters } from './carriers';
import type { Clients } from './clients';
import type { GatewayConfig } from './config';
import { demoRouters } from './demo';
import { contentSecurityPolicy, documentRouters, guideRouters } from './docs';
import { RequestPipeline, resourceRouters, routeModules, routeTable, type PublicClients } from './routes';
import { testPageRouters, voicePage } from './test-page';
import { flatLogger, httpEdge, PlatformReadiness, probeRouters, requestObserver } from './http';
import { LiveSound } from './listening';
import { Mcp, mcpRouters } from './mcp';
import {
  AddressLimit,
  EventStreams,
  LastUsedRecorder,
  MinuteLimit,
  parseRateLimits,
  Principals,
  ProjectOwners,
  RateLimits,
  tokenVerification,
  WindowCounter,
  KeyLookup,
} from './auth';

/** The parts of declared paths and of those under which pages are. */
const pathWords: ReadonlySet<string> = new Set([
  ...allRoutes.flatMap(({ path }) => path.split('/').filter((part) => !part.startsWith('{'))),
  ...[
    'mcp',
    'docs',
    'openapi.json',
    'asyncapi.json',
    'guide',
    'llms.txt',
    'test',
    'chat',
    'demo',
    'page.css',
    'page.js',
  ],
]);

/** Shorter than the second for which a control state is current. */
const controlStateDeadlineMs = 800;

/** Limit per client address; a conversation takes two requests and one for each turn. */
const visitorRequestsPerMinute = 120;

const mebibyte = 1024 * 1024;

/** The gateway is stateless: it needs neither a database nor NATS. */
export type GatewayInfrastructure = Pick<
  Infrastructure<GatewayConfig>,
  'config' | 'log' | 'metrics' | 'clock' | 'client' | 'publicClient' | 'redis' | 'signal'
>;

export interface GatewayParts extends ServiceParts {
  readonly http: HttpEdge;
  readonly jobs: Background[];
}

export function build(infra: GatewayInfrastructure): GatewayParts {
  const { clock, log, metrics, redis, config, signal } = infra;
  const counter = new WindowCounter(redis, clock);
  const clients = connect(infra);
  const controlState = new ControlStateMirror({
    fetch: (sinceEpoch) =>
      clients.auth.getControlState(
        { sinceEpoch },
        { requestId: 'control-state', caller: serviceCaller },
        { deadlineMs: controlStateDeadlineMs, idempotent: false },
      ),
    clock,
    log,
  });
  const lastUsed = new LastUsedRecorder({ auth: clients.auth, log });
  const liveSound = new LiveSound(redis, clock, log);
  const bodyBudget = new BodyBudget({
    process: config.bodyBudgetMib * mebibyte,
    client: config.bodyBudgetPerClientMib * mebibyte,
  });
  const pipeline = new RequestPipeline({
    clients,
    publicClients: connectPublic(infra),
    controlState,
    principals: new Principals({
      controlState,
      clock,
      keyLookup: new KeyLookup(counter, clock, config.invalidKeysPerMinute, tokenVerification(clients.auth)),
      lastUsed,
    }),
    rateLimits: new RateLimits(parseRateLimits(config.rateLimits ?? ''), counter, {
      perMinute: config.requestsPerKeyPerMinute,
      counter,
    }),
    mintLimit: new MinuteLimit(
      'mints',
      { perKey: config.mintsPerMinute, perOrganization: config.organizationMintsPerMinute },
      counter,
    ),
    previewLimit: new MinuteLimit(
      'previews',
      { perKey: config.previewsPerMinute, perOrganization: config.organizationPreviewsPerMinute },
      counter,
    ),
    modelsLimit: new MinuteLimit('lists of models', { perKey: 60, perOrganization: 300 }, counter),
    eventStreams: new EventStreams(
      { perKey: config.maxEventStreams, perOrganization: config.organizationEventStreams },
      redis,
      clock,
    ),
    liveSound,
    trustedProxies: config.trustedProxies,
    projects: new ProjectOwners(clients.auth),
    bodyBudget,
    leaving: signal,
  });
  const table = routeTable(routeModules, allRoutes);
  const mcp = new Mcp({
    pipeline,
    controlState,
    served: table.flatMap(({ methods }) => [...methods.values()]),
    pageSize: config.mcpPageSize,
    allowedOrigins: config.mcpAllowedOrigins,
  });
  const { carrierRequestsPerMinute: perMinute, carrierBodySeconds: bodySeconds, publicUrl, trustedProxies } = config;
  const limit = new AddressLimit({ name: 'carriers', perMinute, trustedProxies, counter });
  const visitorLimit = new AddressLimit({
    name: 'demos',
    perMinute: visitorRequestsPerMinute,
    trustedProxies,
    counter,
  });
  const callPage = voicePage(config.mediaPublicUrl);
  const readiness = new PlatformReadiness({ services: healthClients(infra), controlState, clock });
  return {
    http: httpEdge({
      probes: probeRouters(readiness),
      routers: new Map([
        ...resourceRouters(table, pipeline),
        ...mcpRouters(mcp),
        ...carrierRouters({ clients, limit, bodyBudget, publicUrl, bodySeconds }),
        ...documentRouters(),
        ...guideRouters(config.guideFolder, contentSecurityPolicy),
        ...testPageRouters(callPage),
        ...demoRouters({ clients, controlState, limit: visitorLimit, bodyBudget, callPage }),
      ]),
      recorder: { log, flat: flatLogger(log), clock, observe: requestObserver(metrics), words: pathWords },
      requestTimeoutSeconds: config.requestTimeoutSeconds,
      publicUrl,
    }),
    internalPort: config.internalPort,
    jobs: [controlState, lastUsed, liveSound],
    ready: async () => readiness.waitsFor(),
    degraded: () => readiness.degradations(),
  };
}

function connect({ client, config }: GatewayInfrastructure): Clients {
  return {
    auth: client<AuthServiceServer>(AuthServiceService, config.authAddress),
    knowledge: client<KnowledgeServiceServer>(KnowledgeServiceService, config.knowledgeAddress),
    telephony: client<TelephonyServiceServer>(TelephonyServiceService, config.telephonyAddress),
    webhooks: client<WebhooksServiceServer>(WebhooksServiceService, config.webhooksAddress),
  };
}

function connectPublic({ publicClient, config }: GatewayInfrastructure): PublicClients {
  return {
    auth: publicClient('auth', config.authAddress),
    agents: publicClient('agents', config.agentsAddress),
    'voice-stack': publicClient('voice-stack', config.voiceStackAddress),
    knowledge: publicClient('knowledge', config.knowledgeAddress),
    telephony: publicClient('telephony', config.telephonyAddress),
    webhooks: publicClient('webhooks', config.webhooksAddress),
    insights: publicClient('insights', config.insightsAddress),
  };
}

function healthClients({ client, config }: GatewayInfrastructure): Record<string, GrpcClient<HealthServer>> {
  return {
    auth: client<HealthServer>(HealthDefinition, config.authAddress, 'auth'),
    agents: client<HealthServer>(HealthDefinition, config.agentsAddress, 'agents'),
    'voice-stack': client<HealthServer>(HealthDefinition, config.voiceStackAddress, 'voice-stack'),
    knowledge: client<HealthServer>(HealthDefinition, config.knowledgeAddress, 'knowledge'),
    telephony: client<HealthServer>(HealthDefinition, config.telephonyAddress, 'telephony'),
    webhooks: client<HealthServer>(HealthDefinition, config.webhooksAddress, 'webhooks'),
    insights: client<HealthServer>(HealthDefinition, config.insightsAddress, 'insights'),
  };
}
