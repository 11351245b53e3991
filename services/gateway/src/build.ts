import { allRoutes } from '@parley/contract';
import { AuthServiceService, type AuthServiceServer } from '@parley/proto/auth';
import { TelephonyServiceService, type TelephonyServiceServer } from '@parley/proto/telephony';
import { WebhooksServiceService, type WebhooksServiceServer } from '@parley/proto/webhooks';
import {
  ControlStateMirror,
  HealthDefinition,
  type Background,
  type GrpcClient,
  type HealthServer,
  type HttpEdge,
  type Infrastructure,
  type ServiceParts,
} from '@parley/runtime';
import { CarrierWebhooks } from './carriers/carrier-webhooks';
import type { Clients } from './clients';
import type { GatewayConfig } from './config';
import { Edge } from './edge';
import { httpEdge } from './http/app';
import { Probes } from './http/probes';
import { Mcp } from './mcp/mcp';
import { platformReadiness } from './http/readiness';
import { parseRateLimits, RateLimits } from './limits/rate-limits';
import { WindowCounter } from './limits/window-counter';
import { WrongKeys } from './limits/wrong-keys';
import { KeyUse } from './principals/key-use';
import { Principals } from './principals/principals';
import { ProjectOwners } from './principals/project-owners';
import { tokenVerification } from './principals/token-verification';
import { routeTable } from './route-table';
import { routeModules } from './routes';
import type { PublicClients } from './routes/forward';
import { flatLogger } from './telemetry/request-log';
import { requestObserver } from './telemetry/request-metrics';

/** Shorter than the second for which a control state is trusted. */
const controlStateDeadlineMs = 800;

/** The gateway keeps nothing: no database, no NATS. */
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
        { requestId: 'control-state' },
        { deadlineMs: controlStateDeadlineMs, idempotent: false },
      ),
    clock,
    log,
  });
  const keyUse = new KeyUse({ auth: clients.auth, log });
  const edge = new Edge({
    clients,
    publicClients: connectPublic(infra),
    controlState,
    principals: new Principals({
      controlState,
      clock,
      wrongKeys: new WrongKeys(counter, clock, config.wrongKeyBudget, tokenVerification(clients.auth)),
      keyUse,
    }),
    rateLimits: new RateLimits(parseRateLimits(config.rateLimits ?? ''), counter),
    trustedProxies: config.trustedProxies,
    projects: new ProjectOwners(clients.auth),
    leaving: signal,
  });
  const table = routeTable(routeModules, allRoutes);
  return {
    http: httpEdge({
      edge,
      mcp: new Mcp({
        edge,
        controlState,
        served: table.flatMap(({ methods }) => [...methods.values()]),
        pageSize: config.mcpPageSize,
        allowedOrigins: config.mcpAllowedOrigins,
      }),
      requestTimeoutSeconds: config.requestTimeoutSeconds,
      carriers: new CarrierWebhooks({
        clients,
        publicUrl: config.publicUrl,
        trustedProxies: config.trustedProxies,
      }),
      table,
      probes: new Probes(platformReadiness({ services: healthClients(infra), controlState, clock })),
      recorder: { log, flat: flatLogger(log), clock, observe: requestObserver(metrics) },
    }),
    jobs: [controlState, keyUse],
  };
}

function connect({ client, config }: GatewayInfrastructure): Clients {
  return {
    auth: client<AuthServiceServer>(AuthServiceService, config.authAddress),
    telephony: client<TelephonyServiceServer>(TelephonyServiceService, config.telephonyAddress),
    webhooks: client<WebhooksServiceServer>(WebhooksServiceService, config.webhooksAddress),
  };
}

function connectPublic({ publicClient, config }: GatewayInfrastructure): PublicClients {
  return {
    auth: publicClient(config.authAddress),
    agents: publicClient(config.agentsAddress),
    'voice-stack': publicClient(config.voiceStackAddress),
    telephony: publicClient(config.telephonyAddress),
    webhooks: publicClient(config.webhooksAddress),
  };
}

function healthClients({ client, config }: GatewayInfrastructure): Record<string, GrpcClient<HealthServer>> {
  return {
    auth: client<HealthServer>(HealthDefinition, config.authAddress),
    agents: client<HealthServer>(HealthDefinition, config.agentsAddress),
    'voice-stack': client<HealthServer>(HealthDefinition, config.voiceStackAddress),
    telephony: client<HealthServer>(HealthDefinition, config.telephonyAddress),
    webhooks: client<HealthServer>(HealthDefinition, config.webhooksAddress),
  };
}
