import { Counter } from 'prom-client';
import { AppError } from '@parley/errors';
import { changingVault, createAddressPolicy, idempotencyPruner, vaultRewrapper } from '@parley/service';
import { createRelay, outboxRing, partitionKeeper } from '@parley/outbox';
import { AuthServiceService, type AuthServiceServer } from '@parley/proto/auth';
import { KnowledgeServiceService, type KnowledgeServiceServer } from '@parley/proto/knowledge';
import { TelephonyServiceService, type TelephonyServiceServer } from '@parley/proto/telephony';
import { WebhooksServiceService, type WebhooksServiceServer } from '@parley/proto/webhooks';
import { VoiceStackServiceService, type VoiceStackServiceServer } from '@parley/proto/voice_stack';
import { poller, serviceCaller, type Infrastructure, type ServiceParts } from '@parley/runtime';
import {
  agentPages,
  agentInsertions,
  agentViews,
  Credentials,
  Endpoints,
  LiveCalls,
  refreshProjections,
  recordExists,
  sealedAgents,
  VoiceStack,
  Workers,
} from './agents';
import { knownConnections, sealedConnections } from './connections';
import { assignedBases, Knowledge } from './knowledge';
import type { AgentsConfig } from './config';
import { agentsService } from './agents-service';
import { agentsPublicService } from './handlers';

/** The maximum time for which reads show data of an older catalogue. */
const REFRESH_EVERY_MS = 30_000;

/** The composition root. */
export function build({ config, db, nats, clock, client, log, metrics }: Infrastructure<AgentsConfig>): ServiceParts {
  const voiceStack = new VoiceStack(
    client<VoiceStackServiceServer>(VoiceStackServiceService, config.voiceStackAddress),
    clock,
  );
  const telephony = client<TelephonyServiceServer>(TelephonyServiceService, config.telephonyAddress);
  const relay = createRelay({
    db,
    nats,
    log,
    metrics,
    producer: 'agents',
    streams: ['AUDIT'],
    replicas: config.natsStreamReplicas,
  });
  const blocked = new Counter({
    name: 'parley_publications_blocked_total',
    help: 'Publications that were refused, by the code of their first blocker',
    labelNames: ['code'],
    registers: [metrics],
  });
  const dependencies = {
    db,
    insertions: agentInsertions(db),
    views: agentViews(db),
    pages: agentPages(),
    voiceStack,
    workers: new Workers(telephony, clock),
    calls: new LiveCalls(telephony),
    endpoints: new Endpoints(client<WebhooksServiceServer>(WebhooksServiceService, config.webhooksAddress)),
    connections: knownConnections(db),
    assigned: assignedBases(db),
    knowledge: new Knowledge(client<KnowledgeServiceServer>(KnowledgeServiceService, config.knowledgeAddress)),
    credentials: new Credentials(client<AuthServiceServer>(AuthServiceService, config.authAddress)),
    policy: createAddressPolicy({
      development: config.parleyEnv === 'development',
      allowedCidrs: config.webhookAllowedCidrs,
      allowedHosts: config.webhookAllowedHosts,
    }),
    vault: changingVault(config.vaultKeys),
    onCommit: () => relay.wake(),
    publicationBlocked: (code: string) => blocked.inc({ code }),
  };
  const refresh = poller({
    name: 'refresh-projections',
    everyMs: REFRESH_EVERY_MS,
    run: async (signal) => {
      try {
        await refreshProjections(dependencies, { caller: serviceCaller, requestId: 'refresh-projections', signal });
      } catch (error) {
        if (!(error instanceof AppError && error.retryable)) throw error;
        log.info({ err: error }, 'projections wait for voice-stack');
      }
    },
    log,
  });
  return {
    grpc: [
      agentsService(dependencies),
      agentsPublicService(dependencies, { insecureUrls: config.parleyEnv === 'development' }),
    ],
    jobs: [
      partitionKeeper({ db, log, metrics, rings: [outboxRing], periodSeconds: config.ringPeriodSeconds }),
      relay,
      refresh,
      idempotencyPruner({ db, log, recordExists }),
      vaultRewrapper({ vault: dependencies.vault, sources: [sealedAgents(db), sealedConnections(db)], log, metrics }),
    ],
  };
}
