import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Infrastructure, ServiceParts } from '@parley/runtime';
import { parrot } from './conductors/parrot';
import { testCalls } from './conductors/test-calls';
import { simulatorCarrier } from './carriers/simulator';
import type { EngineConfig } from './config';
import { countIgnored, observeCalls } from './worker/meters';
import { MediaServer } from './lines/media-server';
import { httpPlatform, type Platform } from './worker/platform';
import { Worker } from './worker/worker';

/** The composition root. */
export function build(infra: Infrastructure<EngineConfig>): ServiceParts {
  const { config, clock, log, metrics, signal, identity } = infra;
  const { mediaPort } = config;
  const takesTestCalls = mediaPort !== undefined && config.testCallConductor !== 'none';
  const platform = httpPlatform({
    url: config.gatewayUrl,
    token: config.serviceWorkerApiToken,
    identity: config.gatewayTls === 'internal' ? identity() : undefined,
    // One for the long poll, five for heartbeats that are not answered, one for each call.
    connections: config.engineCapacity + 6,
  });
  const simulator = (config.simulatorCarrier ?? (config.parleyEnv === 'development' ? 'on' : 'off')) === 'on';
  if (!simulator) log.warn('the simulator is switched off, and this worker has no other carrier: it dials no number');
  const worker = new Worker({
    platform,
    takesTestCalls,
    carriers: new Map(simulator ? [['simulator', simulatorCarrier]] : []),
    clock,
    log,
    workerId: `${hostname().slice(0, 64)}-${process.pid}-${randomBytes(4).toString('hex')}`,
    capacity: config.engineCapacity,
    speed: config.simulatorSpeed,
    signal,
  });
  observeCalls(metrics, worker, config.engineCapacity);
  const media = mediaPort === undefined ? [] : [mediaServer(infra, mediaPort, worker, platform)];
  // Stopped in the opposite order: connections are cut when no call is left on them.
  return { jobs: [...media, worker], ready: worker.ready, degraded: worker.degraded };
}

function mediaServer(
  { config, log, metrics }: Infrastructure<EngineConfig>,
  port: number,
  worker: Worker,
  platform: Platform,
): MediaServer {
  return new MediaServer({
    host: config.mediaHost,
    port,
    origins: config.mediaOrigins === '' ? [] : config.mediaOrigins.split(','),
    log,
    hasRoom: worker.hasRoom,
    connected: testCalls({ worker, platform, conductor: parrot, log, onIgnored: countIgnored(metrics) }),
  });
}
