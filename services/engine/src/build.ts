import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Infrastructure, ServiceParts } from '@parley/runtime';
import { offlineConductor } from './conductors/offline';
import { parrot } from './conductors/parrot';
import { testCalls, type TestCallsOptions } from './conductors/test-calls';
import { simulatorCarrier } from './carriers/simulator';
import { takesTestCalls, type EngineConfig } from './config';
import { FliteVoice, Pocketsphinx } from '@parley/speech';
import { countIgnored, observeCalls } from './worker/meters';
import { MediaServer } from './lines/media-server';
import { httpPlatform } from './worker/platform';
import { Worker } from './worker/worker';

/** Of one sentence; a voice that takes longer has failed. */
const synthesisMs = 10_000;

/** The composition root. */
export function build(infra: Infrastructure<EngineConfig>): ServiceParts {
  const { config, clock, log, metrics, signal, identity } = infra;
  const { mediaPort } = config;
  const platform = httpPlatform({
    url: config.gatewayUrl,
    token: config.serviceWorkerApiToken,
    identity: config.gatewayTls === 'internal' ? identity() : undefined,
    // One for the long poll, five for heartbeats that are not answered, one for each call.
    connections: config.engineCapacity + 6,
    organizationId: config.serviceOrganizationId,
  });
  const simulator = (config.simulatorCarrier ?? (config.parleyEnv === 'development' ? 'on' : 'off')) === 'on';
  if (!simulator) log.warn('the simulator is switched off, and this worker has no other carrier: it dials no number');
  const worker = new Worker({
    platform,
    takesTestCalls: takesTestCalls(config),
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
  const offline = offlineVoice(config);
  const conductor = offline === undefined ? parrot : offlineConductor(offline, clock);
  const media = mediaPort === undefined ? [] : [mediaServer(infra, mediaPort, { worker, platform, conductor })];
  const speech = offline === undefined ? [] : [{ name: 'voice', start: () => undefined, stop: () => offline.stop() }];
  // Stopped in the opposite order: connections are cut, and the voice is let go, when no call is left.
  return { jobs: [...speech, ...media, worker], ready: worker.ready, degraded: worker.degraded };
}

/** Undefined where test calls are not conducted with offline speech. @throws Error without a recogniser */
function offlineVoice({ testCallConductor, engineCapacity }: EngineConfig): FliteVoice | undefined {
  if (testCallConductor !== 'offline') return undefined;
  if (Pocketsphinx.isAvailable()) {
    return new FliteVoice({ threads: 2, waiting: 2 * engineCapacity, timeoutMs: synthesisMs });
  }
  throw new Error('TEST_CALL_CONDUCTOR is offline, and pocketsphinx is not installed');
}

function mediaServer(
  { config, log, metrics }: Infrastructure<EngineConfig>,
  port: number,
  { worker, ...rest }: Pick<TestCallsOptions, 'platform' | 'conductor'> & { readonly worker: Worker },
): MediaServer {
  return new MediaServer({
    host: config.mediaHost,
    port,
    origins: config.mediaOrigins === '' ? [] : config.mediaOrigins.split(','),
    refusedPerMinute: config.mediaRefusedPerMinute,
    trustedProxies: config.mediaTrustedProxies,
    log,
    hasRoom: worker.hasRoom,
    connected: testCalls({ worker, ...rest, log, onIgnored: countIgnored(metrics) }),
  });
}
