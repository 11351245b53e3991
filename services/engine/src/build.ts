import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { chatCarrier, lineCarriers, type WorkerJob } from '@parley/contract';
import type { Background, Infrastructure, Logger, ServiceParts } from '@parley/runtime';
import { FliteVoice } from '@parley/speech';
import { AriClient, ariOptionsOf, createAddressPolicy, createOutboundClient } from '@parley/service';
import { agentRunner } from './runners/agent';
import type { CallRunner } from './runners/runner';
import { parrot } from './runners/parrot';
import { testCalls } from './runners/test-calls';
import { takesTestCalls, type EngineConfig } from './config';
import { silentCallee } from './lines/callee-scripts';
import type { ConnectedLine } from './lines/connected-line';
import { MediaServer } from './lines/media-server';
import { streamsOf } from './lines/streams';
import { MediaLoop, observeLateness } from './media/media-loop';
import { Overload } from './media/overload';
import { VoiceModel } from './media/voice-model';
import { Breakers } from './providers/fallback/index';
import { createVettedNetwork } from './providers/vetted';
import { InputLog } from './replay/input-log';
import { Announcer } from './session/announcer';
import { InstantClock, realTimeClock } from './session/call-clock';
import { runSimulatedCall, type CallEnvironment } from './session/run-call';
import { runChat } from './session/run-chat';
import { configurationOf } from './session/configuration';
import { createOfflineSpeech } from './session/offline-speech';
import { TextLine } from './session/text-line';
import { SimulationWorker, type SimulationWorkerOptions } from './simulations/simulation-worker';
import { ThreadedValidator } from './tools';
import { adoptedLines } from './worker/adopted-lines';
import type { LiveCall } from './worker/live-call';
import { countIgnored, countUnderruns, observeCalls, observeTurns } from './worker/engine-metrics';
import { connectionTo, httpPlatform } from './worker/platform';
import { Worker } from './worker/worker';

/** The timeout for one turn of a simulated callee. */
const synthesisMs = 10_000;

/** The composition root. */
export async function build(infra: Infrastructure<EngineConfig>): Promise<ServiceParts> {
  const { config, log, metrics, signal } = infra;
  const workerId = `${hostname().slice(0, 64)}-${process.pid}-${randomBytes(4).toString('hex')}`;
  if (config.serviceWorkerApiToken === undefined) return simulationsAlone(infra, workerId);
  const platform = httpPlatform({
    ...reaching(infra),
    token: config.serviceWorkerApiToken,
    // Connections to the gateway: three for long polls, five for heartbeats that wait for a response, one for each call, and some for chats.
    connections: config.engineCapacity + Math.min(config.engineChats, 10) + 8,
    organizationId: config.serviceOrganizationId,
  });
  const simulator = (config.simulatorCarrier ?? (config.parleyEnv === 'development' ? 'on' : 'off')) === 'on';
  if (!simulator) log.warn('the simulator is switched off; this worker does not dial any numbers');
  const { environment: shared, background } = environmentOf(infra);
  const environment: CallEnvironment = { ...shared, platform };
  const overload: Overload = new Overload({ live: () => worker.live + spokenLive() });
  // Spoken simulations take their slots from those of calls.
  const capacity = config.engineCapacity - spokenCapacityOf(config);
  const worker: Worker = new Worker({
    platform,
    takesTestCalls: takesTestCalls(config),
    hasOfflineSpeech: ['offline', 'parrot'].includes(config.testCallConductor),
    streams: takesTestCalls(config) ? lineCarriers : [],
    carriers: simulator ? ['simulator'] : [],
    refusedPerMinute: config.mediaRefusedPerMinute,
    chatCapacity: config.engineChats,
    run: (job, callLog) => runClaimedCall(environment, { job, log: callLog, simulator }),
    log,
    organizationId: config.serviceOrganizationId,
    workerId,
    capacity,
    isLate: overload.isLate,
    signal,
  });
  observeCalls(metrics, worker, capacity);
  const { mediaPort } = config;
  const onIgnored = countIgnored(metrics);
  // Created in every engine, because the autoscaler reads this metric whether or not the engine has calls with audio.
  const late = observeLateness(metrics);
  const hasSound = takesTestCalls(config) || spokenCapacityOf(config) > 0;
  const sound = hasSound ? await createSound(infra, overload, late) : undefined;
  const media =
    mediaPort === undefined || !takesTestCalls(config) || sound === undefined
      ? []
      : mediaJobs(infra, { environment, worker, loop: sound.loop, port: mediaPort, onIgnored });
  const simulations = simulationsOf(infra, { environment, workerId, sound, isLate: overload.isLate });
  const spokenLive = (): number => simulations.find(({ isSpoken }) => isSpoken)?.live ?? 0;
  // Stopped in reverse order: connections and resources that calls share are closed after the last call has ended.
  return {
    jobs: [...background, ...(sound?.background ?? []), ...media, worker, ...simulations],
    ready: worker.ready,
    degraded: worker.degraded,
  };
}

/** The settings for connecting to the platform, without a key. */
const reaching = ({ config, identity }: Infrastructure<EngineConfig>) => ({
  url: config.gatewayUrl,
  identity: config.gatewayTls === 'internal' ? identity() : undefined,
});

/** A process that only runs simulated conversations and no calls. */
async function simulationsAlone(infra: Infrastructure<EngineConfig>, workerId: string): Promise<ServiceParts> {
  const { config, metrics } = infra;
  const { environment, background } = environmentOf(infra);
  const overload: Overload = new Overload({ live: () => simulations.reduce((sum, { live }) => sum + live, 0) });
  const sound = spokenCapacityOf(config) > 0 ? await createSound(infra, overload, observeLateness(metrics)) : undefined;
  const simulations = simulationsOf(infra, { environment, workerId, sound, isLate: overload.isLate });
  const [worker] = simulations;
  if (worker === undefined) throw new Error('the configuration has neither key');
  const jobs = [...background, ...(sound?.background ?? []), ...simulations];
  return { jobs, ready: worker.ready, degraded: worker.degraded };
}

/** How many spoken simulations this process has at once. */
const spokenCapacityOf = ({ simulationWorkerApiToken: token, simulationSpokenCapacity }: EngineConfig): number =>
  token === undefined ? 0 : simulationSpokenCapacity;

interface Simulating {
  readonly environment: Omit<CallEnvironment, 'platform'>;
  readonly workerId: string;
  readonly sound: Sound | undefined;
  readonly isLate: () => boolean;
}

/** The worker of simulations, and that of spoken ones, if this process has them. */
function simulationsOf(
  infra: Infrastructure<EngineConfig>,
  { environment, workerId, sound, isLate }: Simulating,
): SimulationWorker[] {
  const { config, log, signal, clock } = infra;
  const { simulationWorkerApiToken: token, simulationCapacity } = config;
  if (token === undefined) return [];
  const workerOf = (
    capacity: number,
    rest: Pick<SimulationWorkerOptions, 'sound' | 'isLate'> = {},
  ): SimulationWorker => {
    const connection = connectionTo({ ...reaching(infra), token, connections: capacity + 2 });
    return new SimulationWorker({ connection, environment, clock, capacity, workerId, log, signal, ...rest });
  };
  const spoken = spokenCapacityOf(config);
  if (spoken === 0 || sound === undefined) return [workerOf(simulationCapacity)];
  const { loop, voice } = sound;
  return [
    workerOf(simulationCapacity),
    workerOf(spoken, { sound: { loop, voice, offline: environment.offline }, isLate }),
  ];
}

/** Resources that calls share, and their background tasks. */
function environmentOf({ config, clock, log }: Infrastructure<EngineConfig>) {
  const policy = createAddressPolicy({
    development: config.parleyEnv === 'development',
    allowedCidrs: config.webhookAllowedCidrs,
    allowedHosts: config.webhookAllowedHosts,
  });
  const network = createVettedNetwork(policy);
  const client = createOutboundClient({ policy });
  const validator = new ThreadedValidator();
  const offline =
    config.testCallConductor === 'offline' ? createOfflineSpeech({ calls: config.engineCapacity, log }) : undefined;
  const breakers = new Breakers(() => performance.now());
  const inputLog: CallEnvironment['inputLog'] = ({ call }) => new InputLog(call.call_id);
  const environment = { clock, network, breakers, client, validator, offline, inputLog };
  const shared = [network, client, { close: () => validator.close() }, { close: async () => offline?.stop() }];
  const background: Background = {
    name: 'what calls share',
    start: () => undefined,
    stop: async () => {
      await Promise.all(shared.map((one) => one.close()));
    },
  };
  return { environment, background: [background] };
}

interface Claimed {
  readonly job: WorkerJob;
  readonly log: Logger;
  /** Whether this worker has the simulator's carrier enabled. */
  readonly simulator: boolean;
}

/** Runs a call of the simulator. Its time is simulated, unless its number requests real time or the callee is the silent one. */
function runClaimedCall(environment: CallEnvironment, { job, log, simulator }: Claimed): LiveCall {
  if (job.call.channel === chatCarrier) return runChat(environment, { job, log });
  const inRealTime = job.call.simulator_pace === 'real_time' || job.call.to === silentCallee;
  const clock = inRealTime ? realTimeClock(environment.clock) : new InstantClock(environment.clock);
  // A simulator number has no audio that an external audio server could receive.
  const isOurs = simulator && job.call.carrier === 'simulator';
  const needsSound = configurationOf(job).mode === 'external_audio';
  const line = isOurs && !needsSound ? new TextLine(job.call.to ?? '', clock) : undefined;
  return runSimulatedCall(environment, { job, log, line, clock });
}

interface Taken {
  readonly environment: CallEnvironment;
  readonly worker: Worker;
  readonly loop: MediaLoop;
  readonly port: number;
  /** Counts unknown or malformed messages of a line. */
  readonly onIgnored: () => void;
}

/** What all calls and spoken simulations with sound share. */
interface Sound {
  readonly loop: MediaLoop;
  /** The voice of simulated callees. */
  readonly voice: FliteVoice;
  readonly background: readonly Background[];
}

/** @param late records the lateness of a step */
async function createSound(
  { config, log }: Infrastructure<EngineConfig>,
  overload: Overload,
  late: (ms: number) => void,
): Promise<Sound> {
  const loop = new MediaLoop({
    model: await VoiceModel.load(),
    late: (ms) => {
      overload.note(ms);
      late(ms);
    },
    failed: (error) => log.error({ err: error }, 'a step of the media loop failed'),
  });
  const voice = new FliteVoice({
    threads: 1,
    waiting: 2 * Math.max(1, spokenCapacityOf(config)),
    timeoutMs: synthesisMs,
  });
  const pacing: Background = {
    name: 'media loop',
    start() {
      loop.start();
      overload.start();
    },
    async stop() {
      loop.stop();
      await Promise.all([overload.stop(), voice.stop()]);
    },
  };
  return { loop, voice, background: [pacing] };
}

function mediaJobs(
  { config, log, metrics }: Infrastructure<EngineConfig>,
  { environment, worker, loop, port, onIgnored }: Taken,
): Background[] {
  const { platform } = environment;
  const meters = { onTurn: observeTurns(metrics), onUnderruns: countUnderruns(metrics) };
  const runner: CallRunner<ConnectedLine> =
    config.testCallConductor === 'parrot' ? parrot : agentRunner({ ...environment, loop, ...meters });
  const asterisk = ariOptionsOf(config);
  const announcer = new Announcer({ secret: asterisk?.password ?? '', log });
  const streams = streamsOf({ ari: asterisk && new AriClient(asterisk), announce: announcer.announce });
  const server = new MediaServer({
    host: config.mediaHost,
    port,
    origins: config.mediaOrigins === '' ? [] : config.mediaOrigins.split(','),
    log,
    hasRoom: worker.hasRoom,
    connected: testCalls({ worker, platform, runner, log, onIgnored }),
    streams: adoptedLines({ worker, platform, runner, streams, log }),
  });
  const announcing: Background = { name: 'announcer', start: () => undefined, stop: () => announcer.stop() };
  return [announcing, server];
}
