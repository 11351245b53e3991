import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Infrastructure, ServiceParts } from '@parley/runtime';
import { simulatorCarrier } from './carriers/simulator';
import type { EngineConfig } from './config';
import { observeCalls } from './worker/meters';
import { httpPlatform } from './worker/platform';
import { Worker } from './worker/worker';

/** The composition root. */
export function build({ config, clock, log, metrics, signal }: Infrastructure<EngineConfig>): ServiceParts {
  const platform = httpPlatform({
    url: config.gatewayUrl,
    token: config.serviceWorkerApiToken,
    // One for the long poll, one for heartbeats, one for each call.
    connections: config.engineCapacity + 2,
  });
  const worker = new Worker({
    platform,
    carrier: simulatorCarrier,
    clock,
    log,
    workerId: `${hostname().slice(0, 64)}-${process.pid}-${randomBytes(4).toString('hex')}`,
    capacity: config.engineCapacity,
    speed: config.simulatorSpeed,
    signal,
  });
  observeCalls(metrics, worker, config.engineCapacity);
  return { jobs: [worker], ready: worker.ready };
}
