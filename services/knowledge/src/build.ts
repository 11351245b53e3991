import { Counter } from 'prom-client';
import { createRelay, outboxRing, ringKeeper } from '@parley/outbox';
import { poller, type Infrastructure, type ServiceParts } from '@parley/runtime';
import { createAddressPolicy, createOutboundClient, idempotencyPruner } from '@parley/service';
import { recordExists } from './bases';
import type { KnowledgeConfig } from './config';
import { processDocument, readInProcess, removeNext, type Processing } from './documents';
import { knowledgePublicService } from './handlers';
import { knowledgeService } from './knowledge-service';

/** Maximum number of documents that one replica processes concurrently, each in a separate process. */
const atOnce = 2;
const lookEveryMs = 1_000;

/** The composition root. */
export function build({ config, db, nats, log, metrics }: Infrastructure<KnowledgeConfig>): ServiceParts {
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
  const processed = new Counter({
    name: 'parley_knowledge_documents_processed_total',
    help: 'Documents whose processing ended, by its result: ready, the code of the failure, or lost to another replica or a newer content',
    labelNames: ['result'],
    registers: [metrics],
  });
  // Initialized before the first document, so that the rate of this metric starts at zero.
  processed.inc({ result: 'ready' }, 0);
  const client = createOutboundClient({ policy });
  const processing: Processing = {
    db,
    client,
    read: readInProcess,
    log,
    settled: (result) => processed.inc({ result }),
  };
  const processors = Array.from({ length: atOnce }, (_, n) =>
    poller({
      name: `process-documents-${n}`,
      everyMs: lookEveryMs,
      run: async (signal) => {
        while (!signal.aborted && (await processDocument(processing, signal)));
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
  const dependencies = {
    db,
    policy,
    onCommit: () => relay.wake(),
    due: () => {
      for (const job of [...processors, remover]) job.wake();
    },
  };
  return {
    grpc: [
      knowledgeService(dependencies),
      knowledgePublicService(dependencies, { insecureUrls: config.parleyEnv === 'development' }),
    ],
    jobs: [
      ringKeeper({ db, log, metrics, rings: [outboxRing], periodSeconds: config.ringPeriodSeconds }),
      relay,
      ...processors,
      remover,
      { name: 'outbound', start: () => {}, stop: () => client.close() },
      idempotencyPruner({ db, log, recordExists }),
    ],
  };
}
