import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { prepare, request } from '../../chaos/telephony.mts';
import { forgetHome, newHome, startPlatform, type BenchPlatform } from '../platform.mts';
import type { Parts } from './call.mts';
import type { CarrierFigures, CarrierSettings } from './carrier.mts';
import { makeCertificates, type Certificates } from './certificates.mts';
import type { EngineFigures, EngineSettings } from './engine-draft.mts';
import { Program } from './programs.mts';
import type { ProvidersFigures, ProvidersSettings } from './providers.mts';
import { makeVoices } from './voices.mts';

export interface Cores {
  /** The core of the engine and of the bare timer. */
  readonly engine: number;
  /** The cores of everything else. */
  readonly others: readonly number[];
}

/** How long a claim of the platform's own engine may wait, plus a margin. */
const claimPassesMs = 6_000;

/** A real platform whose own engine is stopped, with a worker's key for the measured engine. */
export class MediaPlatform {
  readonly platform: BenchPlatform;
  workerKey = '';
  private readonly home: string;
  private agentId = '';
  /** If the measurement is aborted, its platform is stopped too. */
  private readonly onSignal = (): void => {
    this.stop().then(
      () => process.exit(1),
      () => process.exit(1),
    );
  };

  private constructor(platform: BenchPlatform, home: string) {
    this.platform = platform;
    this.home = home;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, this.onSignal);
  }

  static async start(): Promise<MediaPlatform> {
    const home = newHome();
    const started = new MediaPlatform(await startPlatform(home), home);
    try {
      await started.prepare();
      return started;
    } catch (error) {
      await started.stop();
      throw error;
    }
  }

  async placeCalls(count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) {
      const call = await request(this.platform, 'POST', '/v1/calls', { agent_id: this.agentId, to: '+15005550006' });
      ids.push(call.call_id ?? '');
    }
    return ids;
  }

  private async prepare(): Promise<void> {
    const { platform } = this;
    this.agentId = await prepare(platform, 'own');
    const { organization_id, operator_key } = platform.development;
    const operator = { ...platform, development: { ...platform.development, admin_key: operator_key } };
    const scopes = ['worker_jobs:claim', 'worker_jobs:heartbeat'];
    const { token = '' } = await request(operator, 'POST', '/v1/api-keys', { organization_id, name: 'bench', scopes });
    this.workerKey = token;
    // The claim of a worker declares its capabilities. Without one no call for the organization's own workers is accepted.
    const worker = { ...platform, development: { ...platform.development, admin_key: token } };
    const claim = { kinds: ['call'], capacity: 1, worker_id: 'bench', wait_seconds: 0 };
    await request(worker, 'POST', '/v1/worker-jobs/claim', claim);
    this.signalEngine('SIGSTOP');
    // A claim that is still waiting would receive jobs.
    await pause(claimPassesMs);
  }

  async stop(): Promise<void> {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, this.onSignal);
    this.signalEngine('SIGCONT');
    await this.platform.stop();
    forgetHome(this.home);
  }

  /** The engine is frozen: it claims nothing and uses no CPU. If it were stopped, the supervisor would restart it. */
  private signalEngine(signal: 'SIGSTOP' | 'SIGCONT'): void {
    for (const { name, pid } of this.platform.file.processes) {
      if (!name.startsWith('engine')) continue;
      try {
        process.kill(pid, signal);
      } catch {
        // The process has ended together with the platform.
      }
    }
  }
}

/** The files that all programs read (certificates, utterances), and the folder of the recordings. */
export class MediaFiles {
  readonly folder = mkdtempSync(path.join(os.tmpdir(), 'parley-media-'));
  readonly recordings = path.join(this.folder, 'recordings');
  readonly voices = path.join(this.folder, 'voices.json');
  readonly certificates: Certificates = makeCertificates(this.folder);

  readonly forget = (): void => {
    process.off('exit', this.forget);
    rmSync(this.folder, { recursive: true, force: true });
  };

  constructor() {
    process.once('exit', this.forget);
  }

  async write(): Promise<void> {
    writeFileSync(this.voices, JSON.stringify(await makeVoices()));
  }

  newRecordings(): string {
    rmSync(this.recordings, { recursive: true, force: true });
    mkdirSync(this.recordings);
    return this.recordings;
  }
}

/** The programs of one measurement: bare timer, providers, engine, and the carrier as soon as calls begin. */
export class Programs {
  readonly bare: Program<{ readonly latenessMs: readonly number[] }>;
  readonly providers: Program<ProvidersFigures>;
  readonly engine: Program<EngineFigures>;
  carrier: Program<CarrierFigures> | undefined;
  private readonly cores: Cores;
  private readonly files: MediaFiles;

  private constructor(cores: Cores, files: MediaFiles, programs: Pick<Programs, 'bare' | 'providers' | 'engine'>) {
    this.cores = cores;
    this.files = files;
    this.bare = programs.bare;
    this.providers = programs.providers;
    this.engine = programs.engine;
  }

  static async start(
    cores: Cores,
    files: MediaFiles,
    { platform, workerKey }: MediaPlatform,
    calls: number,
    parts: Parts,
  ): Promise<Programs> {
    const { certificates, voices } = files;
    const forProviders: ProvidersSettings = { ...certificates, voices };
    const providers = await Program.start<ProvidersFigures>('providers.mts', cores.others, forProviders);
    const forEngine: EngineSettings = {
      ...{ calls, parts, voices, ca: certificates.ca, recordings: files.newRecordings() },
      providers: { port: providers.printed.port ?? 0, securePort: providers.printed.securePort ?? 0 },
      platform: { url: platform.baseUrl, workerKey },
    };
    const engine = await Program.start<EngineFigures>('engine-draft.mts', [cores.engine], forEngine);
    const bare = await Program.start<{ latenessMs: number[] }>('bare-timer.mts', [cores.engine]);
    return new Programs(cores, files, { bare, providers, engine });
  }

  async call(settings: Pick<CarrierSettings, 'calls' | 'callsPerSecond' | 'callSeconds'>): Promise<void> {
    const forCarrier: CarrierSettings = {
      ...settings,
      url: this.engine.url.replace('http:', 'ws:'),
      voices: this.files.voices,
    };
    this.carrier = await Program.start<CarrierFigures>('carrier.mts', this.cores.others, forCarrier);
  }

  /** Hangs up every call and waits until all were reported to the platform. @returns the engine's last measurements */
  async hangUp(): Promise<EngineFigures> {
    await this.carrier?.stop();
    this.carrier = undefined;
    for (const until = performance.now() + 15_000; ; await pause(200)) {
      const figures = await this.engine.figures();
      if (figures.completing === 0 || performance.now() > until) return figures;
    }
  }

  async stop(): Promise<void> {
    for (const program of [this.carrier, this.engine, this.bare, this.providers]) await program?.stop();
  }
}
