import { Counter, type Registry } from 'prom-client';
import { embeddingFailures as embeddingFailureCodes } from '@parley/contract';
import { createRelay, outboxRing, partitionKeeper } from '@parley/outbox';
import { AgentsServiceService, type AgentsServiceServer } from '@parley/proto/agents';
import { AuthServiceService, type AuthServiceServer } from '@parley/proto/auth';
import { databaseInBackground, poller, type Infrastructure, type ServiceParts } from '@parley/runtime';
import { createAddressPolicy, createOutboundClient, createVettedRequests, idempotencyPruner } from '@parley/service';
import { recordExists } from './bases';
import type { KnowledgeConfig } from './config';
import type { Dependencies } from './dependencies';
import { processDocument, readInProcess, removeNext, removeStaleParts, type Processing } from './documents';
import { Embedder, EmbeddingAccounts, embedNext, type EmbeddingWork } from './embeddings';
import { knowledgePublicService } from './handlers';
import { knowledgeService } from './knowledge-service';
import { KnownSigns, type AskParts } from './search';

/**
 * Maximum number of documents that one replica processes concurrently, each in a separate process, and of knowledge bases for which it makes vectors. The last
 * of these slots is reserved for organizations that have none in progress.
 */
const atOnce = 2;
const lookEveryMs = 1_000;
const staleEveryMs = 60_000;
/** A caller waits for the answer. */
const questionMs = 800;

/** The composition root. */
export function build(infra: Infrastructure<KnowledgeConfig>): ServiceParts {
  const { config, db, nats, log, clock, metrics } = infra;
  const policy = createAddressPolicy({
    development: config.parleyEnv === 'development',
    allowedCidrs: config.webhookAllowedCidrs,
    allowedHosts: config.webhookAllowedHosts,
  });
  const relay = createRelay({
    db,
    nats,
    log,
    metrics,
    producer: 'knowledge',
    streams: ['AUDIT'],
    replicas: config.natsStreamReplicas,
  });
  const counters = createCounters(metrics);
  const client = createOutboundClient({ policy });
  const vetted = createVettedRequests(policy, { keepsConnections: true });
  const auth = infra.client<AuthServiceServer>(AuthServiceService, config.authAddress);
  const accounts = new EmbeddingAccounts(auth, () => clock.monotonicMs());
  const embedder = new Embedder(accounts, vetted, (count) => counters.tokens.inc(count));
  const work: Omit<EmbeddingWork, 'reserved'> = {
    db,
    embedder,
    stored: (vectors) => counters.embedded.inc(vectors),
    failed: (code) => counters.embeddingFailures.inc({ code }),
  };
  const processing: Omit<Processing, 'reserved'> = {
    db,
    client,
    read: readInProcess,
    log,
    settled: (result) => counters.processed.inc({ result }),
  };
  const reserved = (n: number): boolean => n === atOnce - 1;
  const processors = Array.from({ length: atOnce }, (_, n) =>
    poller({
      name: `process-documents-${n}`,
      everyMs: lookEveryMs,
      run: async (signal) => {
        while (!signal.aborted && (await processDocument({ ...processing, reserved: reserved(n) }, signal)));
      },
      log,
    }),
  );
  const remover = poller({
    name: 'remove-documents',
    everyMs: lookEveryMs,
    run: async (signal) => {
      while (!signal.aborted && (await removeNext(db)));
    },
    log,
  });
  const partsRemover = poller({
    name: 'remove-stale-parts',
    everyMs: staleEveryMs,
    run: () => removeStaleParts(db),
    log,
  });
  const embedders = Array.from({ length: atOnce }, (_, n) =>
    poller({
      name: `embed-chunks-${n}`,
      everyMs: lookEveryMs,
      run: async (signal) => {
        while (!signal.aborted && (await embedNext({ ...work, reserved: reserved(n) }, signal)));
      },
      log,
    }),
  );
  const background = [...processors, remover, ...embedders];
  const dependencies: Dependencies & AskParts = {
    db,
    policy,
    embedder,
    signs: new KnownSigns(databaseInBackground(db), (error) => log.warn({ err: error }, 'signs of vectors not read')),
    questionMs,
    agents: infra.client<AgentsServiceServer>(AgentsServiceService, config.agentsAddress),
    asked: (ranking, failure) => counters.questions.inc({ ranking, failure: failure ?? 'none' }),
    onCommit: () => relay.wake(),
    due: () => {
      for (const job of background) job.wake();
    },
  };
  return {
    grpc: [
      knowledgeService(dependencies),
      knowledgePublicService(dependencies, { insecureUrls: config.parleyEnv === 'development' }),
    ],
    jobs: [
      partitionKeeper({ db, log, metrics, rings: [outboxRing], periodSeconds: config.ringPeriodSeconds }),
      relay,
      ...background,
      partsRemover,
      { name: 'outbound', start: () => {}, stop: () => Promise.all([client.close(), vetted.close()]).then(() => {}) },
      idempotencyPruner({ db, log, recordExists }),
    ],
  };
}

function createCounters(metrics: Registry) {
  const registers = [metrics];
  const processed = new Counter({
    name: 'parley_knowledge_documents_processed_total',
    help: 'Documents whose processing ended, by its result: ready, the code of the failure, or lost to another replica or a newer content',
    labelNames: ['result'],
    registers,
  });
  const embeddingFailures = new Counter({
    name: 'parley_knowledge_embedding_failures_total',
    help: 'Requests for vectors of chunks that failed and are repeated, by the code of the failure',
    labelNames: ['code'],
    registers,
  });
  const questions = new Counter({
    name: 'parley_knowledge_questions_total',
    help: 'Answered questions by ranking, and by the code of the failure if an embeddings server was not used',
    labelNames: ['ranking', 'failure'],
    registers,
  });
  // Initialized before the first event, so that rates of these metrics start at zero.
  processed.inc({ result: 'ready' }, 0);
  for (const code of embeddingFailureCodes) embeddingFailures.inc({ code }, 0);
  questions.inc({ ranking: 'full_text', failure: 'none' }, 0);
  return {
    processed,
    embedded: new Counter({
      name: 'parley_knowledge_embedded_chunks_total',
      help: 'Chunks whose vectors were stored',
      registers,
    }),
    embeddingFailures,
    tokens: new Counter({
      name: 'parley_knowledge_embedding_tokens_total',
      help: 'Tokens of chunks and questions, as embeddings servers have counted them',
      registers,
    }),
    questions,
  };
}
