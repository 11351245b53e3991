import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Infrastructure, ServiceParts } from '@parley/runtime';
import { simulatorCarrier } from './carriers/simulator';
import type { EngineConfig } from './config';
import { observeCalls } from './worker/meters';
import { httpPlatform } from './worker/platform';
import { Worker } from './worker/worker';

/** The composition root. */
export function build({ config, clock, log, metrics, signal, identity }: Infrastructure<EngineConfig>): ServiceParts {
  const platform = httpPlatform({
    url: config.gatewayUrl,
    token: config.serviceWorkerApiToken,
    identity: config.gatewayTls === 'internal' ? identity() : undefined,
    // One for the long poll, five for heartbeats that are not answered, one for each call.
    connections: config.engineCapacity + 6,
    organizationId: config.serviceOrganizationId,
  });
  const simulator = (config.simulatorCarrier ?? (config.parleyEnv === 'development' ? 'on' : 'off')) === 'on';
  if (!simulator) log.warn('the simulator is switched off, and this worker has no other carrier: it conducts no call');
  const worker = new Worker({
    platform,
    carriers: new Map(simulator ? [['simulator', simulatorCarrier]] : []),
    clock,
    log,
    organizationId: config.serviceOrganizationId,
    workerId: `${hostname().slice(0, 64)}-${process.pid}-${randomBytes(4).toString('hex')}`,
    capacity: config.engineCapacity,
    speed: config.simulatorSpeed,
    signal,
  });
  observeCalls(metrics, worker, config.engineCapacity);
  return { jobs: [worker], ready: worker.ready, degraded: worker.degraded };
}
