import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import path from 'node:path';
import { tokenChecksum } from '@parley/contract';
import { eventually, freePort } from '@parley/testing';
import { FakePlatform } from './fake-platform';
import { jobTo } from './jobs';

/** The built engine in its own process, with a capacity of one call. */
class EngineProcess {
  private constructor(
    private readonly child: ChildProcess,
    private readonly healthPort: number,
  ) {}

  static async start(platform: FakePlatform, env: Readonly<Record<string, string>> = {}): Promise<EngineProcess> {
    const healthPort = await freePort();
    const body = `tai_${'0'.repeat(32)}`;
    const child = spawn(process.execPath, [path.join(__dirname, '../dist/main.js')], {
      env: {
        PATH: process.env['PATH'],
        LOG_LEVEL: 'fatal',
        HEALTH_HOST: '127.0.0.1',
        HEALTH_PORT: String(healthPort),
        GATEWAY_URL: platform.url,
        SERVICE_WORKER_API_TOKEN: body + tokenChecksum(body),
        ENGINE_CAPACITY: '1',
        // The platform of this test returns any job to any claim, so claims of chats would receive the calls.
        ENGINE_CHATS: '0',
        SIMULATOR_CARRIER: 'on',
        ...env,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const engine = new EngineProcess(child, healthPort);
    await eventually(async () => ((await engine.readiness()) === 200 ? true : undefined));
    return engine;
  }

  /** The status of /readyz; undefined while nothing listens. */
  async readiness(): Promise<number | undefined> {
    return fetch(`http://127.0.0.1:${this.healthPort}/readyz`).then(
      ({ status }) => status,
      () => undefined,
    );
  }

  /** Sends SIGTERM, like Kubernetes. */
  terminate(): void {
    this.child.kill('SIGTERM');
  }

  /** Resolves when the engine reports that it is not ready. */
  async unready(): Promise<void> {
    await eventually(async () => ((await this.readiness()) === 503 ? true : undefined));
  }

  /** The nice value of the thread that sends audio. */
  get priority(): number {
    return getPriority(this.child.pid);
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** The exit code. */
  async exited(): Promise<number | null> {
    if (this.running) await once(this.child, 'exit');
    return this.child.exitCode;
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited();
  }
}

/** A call of two minutes in real time in which no one speaks. */
const endless = { leaseSeconds: 0.6, effective: { no_caller_speech_seconds: 120 } };

describe('the process of an engine', () => {
  let platform: FakePlatform;
  let engine: EngineProcess | undefined;

  beforeEach(async () => {
    platform = new FakePlatform();
    await platform.start();
  });
  afterEach(async () => {
    await engine?.kill();
    engine = undefined;
    await platform.kill();
  });

  const heartbeats = (): number => platform.of('', 'heartbeat').length;
  const talking = async (started: EngineProcess): Promise<EngineProcess> => {
    engine = started;
    platform.offer(jobTo('+15005550007', 'job_1', { ...endless, pace: 'real_time' }));
    await eventually(() => (platform.eventsOf('job_1').includes('media_started') ? true : undefined));
    return started;
  };

  it('waits for its live call, keeps its lease, claims no other, and exits with 0 when the call has ended', async () => {
    const draining = await talking(await EngineProcess.start(platform));
    draining.terminate();
    await draining.unready();
    platform.offer(jobTo('+15005550006', 'job_2'));
    const before = heartbeats();
    await eventually(() => (heartbeats() >= before + 3 ? true : undefined));
    expect(draining.running).toBe(true);
    expect(platform.of('job_1', 'complete')).toEqual([]);

    platform.canceled.add('job_1');
    expect(await draining.exited()).toBe(0);
    expect(platform.of('job_1', 'complete')).toHaveLength(1);
    expect(platform.jobs.map(({ job_id: jobId }) => jobId)).toEqual(['job_2']);
    expect(platform.reported.some(({ jobId }) => jobId === 'job_2')).toBe(false);
  });

  it('exits with 1 after DRAIN_SECONDS, without completing the live call, whose lease then expires', async () => {
    const draining = await talking(await EngineProcess.start(platform, { DRAIN_SECONDS: '2' }));
    const reported = performance.now();
    draining.terminate();
    expect(await draining.exited()).toBe(1);
    expect(performance.now() - reported).toBeGreaterThanOrEqual(2_000);
    expect(platform.of('job_1', 'complete')).toEqual([]);
    expect(platform.eventsOf('job_1')).toEqual(['dialing', 'answered', 'media_started']);
  });

  it('exits immediately with 0 without live calls', async () => {
    engine = await EngineProcess.start(platform);
    await eventually(() =>
      platform.reported.filter(({ route }) => route === 'claim').length === 2 ? true : undefined,
    );
    engine.terminate();
    platform.offer();
    expect(await engine.exited()).toBe(0);
  });

  it('has a high priority where it is permitted, otherwise that of the program that started it', async () => {
    const permitted = spawnSync(process.execPath, ['-e', 'os.setPriority(-14)']).status === 0;
    engine = await EngineProcess.start(platform);
    expect(engine.priority).toBe(permitted ? -14 : getPriority());
  });
});
