import {
  AriClient,
  ariOptionsOf,
  changingVault,
  createAddressPolicy,
  createResolver,
  vaultRewrapper,
} from '@parley/service';
import { rulesOfCalls } from './policy';
import { createRelay } from '@parley/outbox';
import { AgentsServiceService, type AgentsServiceServer } from '@parley/proto/agents';
import { AuthServiceService, type AuthServiceServer } from '@parley/proto/auth';
import { KnowledgeServiceService, type KnowledgeServiceServer } from '@parley/proto/knowledge';
import { WebhooksServiceService, type WebhooksServiceServer } from '@parley/proto/webhooks';
import { VoiceStackServiceService, type VoiceStackServiceServer } from '@parley/proto/voice_stack';
import {
  ControlStateMirror,
  databaseInBackground,
  newTraceparent,
  serviceCaller,
  type Infrastructure,
  type ServiceParts,
} from '@parley/runtime';
import { randomUUID } from 'node:crypto';
import { carriersOf, announcementFor, SipLines } from './network';
import {
  KnowledgeBases,
  sealedValues,
  providerAccounts,
  RuntimeConfigurations,
  WorkerCapabilities,
  agentClient,
  createRecordingFinisher,
  createRecordingTranscoder,
  partsRefusedMeter,
  recordingStoreOf,
  createUnservedCalls,
} from './dispatch';
import { carrierApiUrl, simulatorOn, translatedBy, type TelephonyConfig } from './config';
import {
  observeBooks,
  createQueueSignal,
  pausedScopes,
  JobQueue,
  createPruners,
  createReaper,
  createUnadoptedCalls,
  WorkerHearing,
  createBillingMirror,
  ensureOrganizationState,
} from './books';
import { telephonyService } from './telephony-service';
import { telephonyPublicService } from './handlers';
import { createCampaignRunner } from './campaigns';
import { createEraser, createRetentionRunner, createTranslationRunner, translatorOf } from './after';
import { createLineDialer, createLineTender, createTransferTender, createCommandPruner, NatsSignals } from './lines';
import {
  createMessageFollowUp,
  createReplyPruner,
  createReplyRunner,
  MessageSender,
  messageBatches,
  messageOutcomes,
} from './messages';
import { createScheduledCalls, admissionSnapshots, admissionBatches, createSipController, SipPeers } from './intake';
import type { WholeTelephony } from './face';

/** Must be shorter than the time for which a control state counts as current. */
const controlDeadlineMs = 800;

/** The composition root. */
export function build(infra: Infrastructure<TelephonyConfig>): ServiceParts {
  const { config, clock, db, log, metrics, nats } = infra;
  const background = databaseInBackground(db);
  const auth = infra.client<AuthServiceServer>(AuthServiceService, config.authAddress);
  const controls = new ControlStateMirror({
    fetch: (sinceEpoch) =>
      auth.getControlState(
        { sinceEpoch },
        { caller: serviceCaller, requestId: randomUUID(), traceparent: newTraceparent() },
        { deadlineMs: controlDeadlineMs },
      ),
    clock,
    log,
  });
  const relay = createRelay({
    db: background,
    nats,
    log,
    metrics,
    producer: 'telephony',
    streams: ['EVENTS', 'AUDIT'],
    replicas: config.natsStreamReplicas,
  });
  observeBooks(metrics, background);
  const leaseSeconds = config.workerLeaseSeconds;
  const queue = new JobQueue({ db, clock, log, leaseSeconds, held: () => pausedScopes(controls) });
  const hearing = new WorkerHearing({ db: background, clock, log, leaseSeconds });
  const agents = infra.client<AgentsServiceServer>(AgentsServiceService, config.agentsAddress);
  const ask = agentClient(agents);
  const open = (organizationId: string) => ensureOrganizationState(db, auth, organizationId);
  const vault = changingVault(config.vaultKeys);
  const voiceStack = infra.client<VoiceStackServiceServer>(VoiceStackServiceService, config.voiceStackAddress);
  const configurations = new RuntimeConfigurations(voiceStack, clock, vault, rulesOfCalls(db));
  const simulator = simulatorOn(config);
  const carriers = carriersOf({
    apiUrlOf: (name) => carrierApiUrl(config, name),
    publicUrl: config.publicUrl,
    timeoutMs: config.carrierTimeoutMs,
    simulatorDeliveryDelaySeconds: config.simulatorDeliveryDelaySeconds,
  });
  const policy = createAddressPolicy({
    development: config.parleyEnv === 'development',
    allowedCidrs: config.sipAllowedCidrs,
    allowedHosts: config.sipAllowedHosts,
  });
  const resolve = createResolver(policy);
  const asterisk = ariOptionsOf(config);
  const ari = asterisk && new AriClient(asterisk);
  const partsRefused = partsRefusedMeter(metrics);
  const signals = new NatsSignals({ nats, log });
  const telephony: WholeTelephony = {
    db,
    agents,
    workers: new WorkerCapabilities(db, clock),
    publications: configurations,
    controls,
    admission: {
      ask,
      snapshots: admissionSnapshots(db, ask),
      batches: admissionBatches({
        db,
        queueCap: config.outboundQueueCap,
        scheduledCap: config.scheduledCallsCap,
        open,
      }),
      messageSnapshots: admissionSnapshots(db, ask),
      templateMessageSnapshots: admissionSnapshots(db, ask),
      workerMessageSnapshots: admissionSnapshots(db, ask),
    },
    messages: messageBatches({ db, open }),
    openOrganization: open,
    vault,
    accounts: providerAccounts(auth, voiceStack),
    carriers,
    sip: {
      policy,
      lines: ari && new SipLines({ db, vault, ari, policy, resolve }),
      announce: (text) => announcementFor(config.sipAriPassword, text, Date.now()),
    },
    knowledge: new KnowledgeBases(
      infra.client<KnowledgeServiceServer>(KnowledgeServiceService, config.knowledgeAddress),
    ),
    signals,
    recordings: recordingStoreOf(config, nats),
    clock,
    settings: {
      leaseSeconds,
      recordingGraceSeconds: config.recordingGraceSeconds,
      recordingFormat: config.recordingsFormat,
      simulator,
      translator: translatedBy(config),
      queueCap: config.outboundQueueCap,
      queueFullRetrySeconds: config.queueFullRetrySeconds,
      mediaStreamUrl: config.mediaStreamUrl,
      mediaPublicUrl: config.mediaPublicUrl,
      publicUrl: config.publicUrl,
      transferHosts: new Set(config.sipTransferHosts?.toLowerCase().split(',')),
      ringSeconds: config.lineRingSeconds,
      accountCallsPerSecond: config.carrierCallsPerSecond,
      organizationCallsPerSecond: config.organizationCallsPerSecond,
      busyMessage: config.linesBusyMessage,
      simulatorWebhookToken: config.simulatorWebhookToken,
    },
    onCommit(jobsWait) {
      relay.wake();
      if (!jobsWait) return;
      queue.wake();
      lineDialer.wake();
    },
    workerHeard: () => hearing.heard(),
    linesDue: () => lineTender.wake(),
    notifyMessageSender() {
      sender.wake();
      translations.wake();
      replies.wake();
    },
    erasuresWait: () => eraser.wake(),
    recordingsWait() {
      recordingFinisher.wake();
      recordingTranscoder.wake();
    },
    partRefused: (reason) => partsRefused.inc({ reason }),
  };
  const working: WholeTelephony = { ...telephony, db: background };
  const outcomes = messageOutcomes(background, () => relay.wake());
  const sending = { outcomeSeconds: config.messageStatusTimeoutSeconds };
  const sender = new MessageSender({
    telephony: working,
    carriers,
    outcomes,
    settings: { ...sending, leaseSeconds: config.messageLeaseSeconds, concurrency: config.messageConcurrency },
    clock,
    log,
  });
  const translations = createTranslationRunner(working, translatorOf(config), log);
  const replies = createReplyRunner(working, log);
  const recordingFinisher = createRecordingFinisher(working, log);
  const recordingTranscoder = createRecordingTranscoder(working, log);
  const lineDialer = createLineDialer({ telephony: working, clock, log });
  const lineTender = createLineTender({ telephony: working, clock, log });
  const webhooks = infra.client<WebhooksServiceServer>(WebhooksServiceService, config.webhooksAddress);
  const eraser = createEraser(working, webhooks, log);
  const peers = ari && new SipPeers({ db: background, ari, policy, resolve, nowMs: () => clock.monotonicMs() });
  const served = { telephony, queue, configurations, draining: infra.signal };
  return {
    grpc: [telephonyPublicService(served), telephonyService(telephony)],
    consumers: [createQueueSignal({ nats, log, onQueued: () => queue.wake() })],
    jobs: [
      ...createPruners({ db: background, log, metrics, ringPeriodSeconds: config.ringPeriodSeconds }),
      controls,
      signals,
      relay,
      queue,
      createReaper({ telephony: working, clock, log, metrics, atLeast: config.leasesReapedAtLeast }),
      createUnadoptedCalls({ telephony: working, clock, log }),
      lineDialer,
      lineTender,
      ...(ari === undefined || peers === undefined
        ? []
        : [createSipController({ telephony: working, ari, peers, clock, log })]),
      createTransferTender({ telephony: working, clock, log }),
      createUnservedCalls({ telephony: working, clock, log, missingSeconds: config.workersMissingSeconds }),
      createCampaignRunner(working, log),
      createScheduledCalls(working, log),
      sender,
      createMessageFollowUp(working, carriers, outcomes, sending, log),
      translations,
      replies,
      createReplyPruner(working, log),
      recordingFinisher,
      recordingTranscoder,
      eraser,
      createRetentionRunner(working, log),
      createCommandPruner(background, log),
      createBillingMirror({ db: background, auth, controls, log }),
      vaultRewrapper({ vault, sources: sealedValues(background), log, metrics }),
    ],
  };
}
