import { createRelay, outboxRing, partitionKeeper } from '@parley/outbox';
import { AgentsServiceService, type AgentsServiceServer } from '@parley/proto/agents';
import { AuthServiceService, type AuthServiceServer } from '@parley/proto/auth';
import { TelephonyServiceService, type TelephonyServiceServer } from '@parley/proto/telephony';
import { VoiceStackServiceService, type VoiceStackServiceServer } from '@parley/proto/voice_stack';
import type { Infrastructure, ServiceParts } from '@parley/runtime';
import { createAddressPolicy, createVettedRequests, idempotencyPruner } from '@parley/service';
import { rulesMayExtract, type InsightsConfig } from './config';
import { deadLetterPruner } from './dead-letters';
import { deletedAgents } from './deleted-agents';
import {
  ExtractionRunner,
  OutputValidators,
  rerunLister,
  transcriptConsumer,
  type ExtractionDependencies,
  recordExists,
} from './extraction';
import { insightsPublicService } from './handlers';
import { languageModels, modelPrices } from './models';
import { simulationExists } from './simulations';

/** The composition root. */
export function build(infra: Infrastructure<InsightsConfig>): ServiceParts {
  const { config, db, nats, log, clock, metrics, client } = infra;
  const policy = createAddressPolicy({
    development: config.parleyEnv === 'development',
    allowedCidrs: config.webhookAllowedCidrs,
    allowedHosts: config.webhookAllowedHosts,
  });
  const vetted = createVettedRequests(policy);
  const auth = client<AuthServiceServer>(AuthServiceService, config.authAddress);
  const voiceStack = client<VoiceStackServiceServer>(VoiceStackServiceService, config.voiceStackAddress);
  const replicas = config.natsStreamReplicas;
  const relay = createRelay({ db, nats, log, metrics, producer: 'insights', streams: ['AUDIT'], replicas });
  const agents = client<AgentsServiceServer>(AgentsServiceService, config.agentsAddress);
  const telephony = client<TelephonyServiceServer>(TelephonyServiceService, config.telephonyAddress);
  const models = languageModels({ auth, voiceStack, vetted });
  const onAudit = (): void => relay.wake();
  const dependencies: ExtractionDependencies = {
    db,
    clock,
    agents,
    auth,
    telephony,
    voiceStack,
    models,
    prices: modelPrices(voiceStack, clock),
    validators: new OutputValidators(),
    rules: rulesMayExtract(config),
    onAudit,
    onJobs: () => {
      lister.wake();
      runner.wake();
    },
  };
  const simulations = { db, clock, agents, telephony, voiceStack, models, extraction: dependencies, onAudit };
  const runner = new ExtractionRunner({ dependencies, concurrency: config.extractionConcurrency, log });
  const lister = rerunLister({ dependencies, log });
  return {
    grpc: [insightsPublicService(dependencies, simulations)],
    consumers: [
      partitionKeeper({ db, log, metrics, rings: [outboxRing], periodSeconds: config.ringPeriodSeconds }),
      relay,
      transcriptConsumer({ db, nats, log, metrics, replicas, onJobs: () => runner.wake() }),
    ],
    jobs: [
      { name: 'provider-connections', start: () => {}, stop: () => vetted.close() },
      runner,
      lister,
      deletedAgents({ db, agents, log }),
      deadLetterPruner({ db, log }),
      idempotencyPruner({ db, log, recordExists: { ...recordExists, ...simulationExists } }),
    ],
  };
}
