import { idempotencyPruner } from '@parley/service';
import { createRelay } from '@parley/outbox';
import { AgentsServiceService, type AgentsServiceServer } from '@parley/proto/agents';
import { AuthServiceService, type AuthServiceServer } from '@parley/proto/auth';
import { VoiceStackServiceService, type VoiceStackServiceServer } from '@parley/proto/voice_stack';
import { ControlStateMirror, newTraceparent, type Infrastructure, type ServiceParts } from '@parley/runtime';
import { createVault, parseVaultKeys } from '@parley/vault';
import { randomUUID } from 'node:crypto';
import { carriersOf } from './carriers/carriers';
import type { TelephonyConfig } from './config';
import { observeJobs } from './db/jobs/depths';
import { rememberedRecords } from './db/jobs/remembered-records';
import { createQueueSignal } from './events/queue-signal';
import { telephonyService } from './grpc/telephony-service';
import { telephonyPublicService } from './handlers';
import { heldWork } from './jobs/held-work';
import { JobQueue } from './jobs/job-queue';
import { createCampaignRunner } from './jobs/campaign-runner';
import { createLanePruner } from './jobs/lane-pruner';
import { createMessageFollowUp } from './jobs/message-follow-up';
import { MessageSender } from './jobs/message-sender';
import { createReaper } from './jobs/reaper';
import { createReportPruner } from './jobs/report-pruner';
import { createTranslationRunner } from './jobs/translation-runner';
import { translatorOf } from './translators/translators';
import { admissionLooks } from './usecases/admission-looks';
import { admissionTurns } from './usecases/admission-turns';
import { agentQuestions } from './usecases/agent-questions';
import { messageTurns } from './usecases/message-turns';
import { openOrganization } from './usecases/open-organization';
import { RuntimeConfigurations } from './usecases/runtime-configuration';
import { messageOutcomes } from './usecases/send-permitted';
import type { Telephony } from './usecases/telephony';

/** A poll that lasts longer than the trust in it is worth nothing. */
const controlDeadlineMs = 800;

/** The composition root. */
export function build(infra: Infrastructure<TelephonyConfig>): ServiceParts {
  const { config, clock, db, log, metrics, nats } = infra;
  const auth = infra.client<AuthServiceServer>(AuthServiceService, config.authAddress);
  const controls = new ControlStateMirror({
    fetch: (sinceEpoch) =>
      auth.getControlState(
        { sinceEpoch },
        { requestId: randomUUID(), traceparent: newTraceparent() },
        { deadlineMs: controlDeadlineMs },
      ),
    clock,
    log,
  });
  const relay = createRelay({
    db,
    nats,
    log,
    metrics,
    streams: ['EVENTS', 'AUDIT'],
    replicas: config.natsStreamReplicas,
  });
  observeJobs(metrics, db);
  const leaseSeconds = config.workerLeaseSeconds;
  const queue = new JobQueue({ db, clock, log, leaseSeconds, held: () => heldWork(controls) });
  const agents = infra.client<AgentsServiceServer>(AgentsServiceService, config.agentsAddress);
  const ask = agentQuestions(agents);
  const open = (organizationId: string) => openOrganization(db, auth, organizationId);
  const telephony: Telephony = {
    db,
    agents,
    controls,
    admission: {
      ask,
      looks: admissionLooks(db, ask),
      turns: admissionTurns({ db, queueCap: config.outboundQueueCap, open }),
      messageLooks: admissionLooks(db, ask),
      templateMessageLooks: admissionLooks(db, ask),
      messages: messageTurns({ db, open }),
      open,
    },
    vault: createVault(parseVaultKeys(config.vaultKeys)),
    settings: {
      leaseSeconds,
      queueCap: config.outboundQueueCap,
      queueFullRetrySeconds: config.queueFullRetrySeconds,
      mediaStreamUrl: config.mediaStreamUrl,
      simulatorWebhookToken: config.simulatorWebhookToken,
    },
    committed(jobsWait) {
      relay.nudge();
      if (jobsWait) queue.nudge();
    },
    messagesWait() {
      sender.nudge();
      translations.nudge();
    },
  };
  const carriers = carriersOf(config);
  const outcomes = messageOutcomes(db, () => relay.nudge());
  const sending = { outcomeSeconds: config.messageOutcomeSeconds };
  const sender = new MessageSender({
    telephony,
    carriers,
    outcomes,
    settings: { ...sending, leaseSeconds: config.messageLeaseSeconds, concurrency: config.messageConcurrency },
    clock,
    log,
  });
  const translations = createTranslationRunner(telephony, translatorOf(config), log);
  const voiceStack = infra.client<VoiceStackServiceServer>(VoiceStackServiceService, config.voiceStackAddress);
  const configurations = new RuntimeConfigurations(voiceStack, clock);
  const handled = { telephony, queue, configurations, draining: infra.signal };
  return {
    grpc: [telephonyPublicService(handled), telephonyService(handled)],
    consumers: [createQueueSignal({ nats, log, clock, onQueued: () => queue.nudge() })],
    jobs: [
      controls,
      relay,
      queue,
      createReaper({ telephony, clock, log }),
      createCampaignRunner(telephony, log),
      sender,
      createMessageFollowUp(telephony, carriers, outcomes, sending, log),
      translations,
      createLanePruner(db, log),
      createReportPruner(db, log),
      idempotencyPruner({ db, log, recordExists: rememberedRecords }),
    ],
  };
}
