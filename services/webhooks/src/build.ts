import { randomUUID } from 'node:crypto';
import { createRelay, outboxRing, partitionKeeper } from '@parley/outbox';
import { changingVault, createAddressPolicy, idempotencyPruner, vaultRewrapper } from '@parley/service';
import { poller, type Infrastructure, type ServiceParts } from '@parley/runtime';
import type { WebhooksConfig } from './config';
import {
  createDeliveryMetrics,
  createSigningKeys,
  Dispatcher,
  forgetOld,
  observeDeliveries,
  recordExists,
  rings,
} from './deliveries';
import { recoveryRunner, sealedSecrets } from './endpoints';
import { eventConsumer, EventTail } from './events';
import { webhooksPublicService, webhooksService } from './handlers';
import { createWebhookClient } from './network';

const hourMs = 3_600_000;

/** The composition root. */
export function build({ config, db, nats, log, clock, metrics, signal }: Infrastructure<WebhooksConfig>): ServiceParts {
  const vault = changingVault(config.vaultKeys);
  const policy = createAddressPolicy({
    development: config.parleyEnv === 'development',
    allowedCidrs: config.webhookAllowedCidrs,
    allowedHosts: config.webhookAllowedHosts,
  });
  const client = createWebhookClient({ policy });
  const relay = createRelay({
    db,
    nats,
    log,
    metrics,
    producer: 'webhooks',
    streams: ['AUDIT'],
    replicas: config.natsStreamReplicas,
  });
  const onAudit = (): void => relay.wake();
  const tail = new EventTail({ db, log, signal });
  const dispatcher = new Dispatcher({
    db,
    log,
    clock,
    metrics: createDeliveryMetrics(metrics),
    replica: randomUUID(),
    slots: config.webhookMaxConcurrency,
    leaseSeconds: config.webhookLeaseSeconds,
    onAudit,
    tools: {
      client,
      clock,
      random: Math.random,
      keys: createSigningKeys(vault),
    },
  });
  observeDeliveries(metrics, db);
  const wake = (endpointIds: Iterable<string>): void => dispatcher.wake(endpointIds);
  const recoveries = recoveryRunner({ db, log, clock, onDeliveries: wake });
  const housekeeping = poller({
    name: 'housekeeping',
    everyMs: hourMs,
    log,
    clock,
    run: () => forgetOld(db),
  });
  const dependencies = {
    db,
    vault,
    policy,
    maxEndpoints: config.webhookMaxEndpoints,
    wake,
    clock,
    onRecovery: () => recoveries.wake(),
    onAudit,
    tail,
  };
  return {
    grpc: [webhooksPublicService(dependencies), webhooksService(dependencies)],
    // They are stopped in reverse order: first the consumers, then the attempts in progress, then their connections.
    consumers: [
      partitionKeeper({ db, log, metrics, rings: [outboxRing, ...rings], periodSeconds: config.ringPeriodSeconds }),
      { name: 'webhook-client', start: () => undefined, stop: () => client.close() },
      relay,
      dispatcher,
      eventConsumer({
        db,
        nats,
        log,
        metrics,
        replicas: config.natsStreamReplicas,
        onDeliveries: wake,
        onLogged: (ids) => tail.heard(ids),
      }),
    ],
    jobs: [
      recoveries,
      housekeeping,
      idempotencyPruner({ db, log, recordExists }),
      vaultRewrapper({ vault, sources: [sealedSecrets(db)], log, metrics }),
    ],
  };
}
