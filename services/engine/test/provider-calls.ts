import type { LeasedCredential, WorkerJobComplete, WorkerJobEvent } from '@parley/contract';
import type { Limits, ProviderAccount, StreamingAdapter } from '@parley/providers';
import { createLogger } from '@parley/runtime';
import { FliteVoice, readWave } from '@parley/speech';
import { eventually } from '@parley/testing';
import { agentRunner } from '../src/runners/agent';
import { testCalls } from '../src/runners/test-calls';
import { MediaServer } from '../src/lines/media-server';
import { MediaLoop } from '../src/media/media-loop';
import { VoiceModel } from '../src/media/voice-model';
import { httpPlatform, type Platform } from '../src/worker/platform';
import { Worker } from '../src/worker/worker';
import { BrowserClient } from './browser-client';
import { environmentWith } from './running-calls';
import { FakePlatform } from './fake-platform';
import { jobTo, type JobChange } from './jobs';

const log = createLogger({ service: 'test', level: 'silent' });
const frameBytes = 640;

/** A call with sound on a browser line, seen from its caller. */
export class SpokenCall {
  /** When each piece of audio arrived, in milliseconds of the process. */
  readonly heardAt: number[] = [];
  private playedAtMs = performance.now();

  constructor(
    readonly client: BrowserClient,
    readonly jobId: string,
    private readonly platform: Pick<FakePlatform, 'of'>,
  ) {
    client.socket.on('message', (data: Buffer, binary: boolean) => {
      const now = performance.now();
      if (binary) {
        this.heardAt.push(now);
        this.playedAtMs = Math.max(now, this.playedAtMs) + data.length / 32;
        return;
      }
      const message = JSON.parse(data.toString()) as { type: string; name?: string };
      if (message.type === 'clear') this.playedAtMs = now;
      if (message.type === 'mark') setTimeout(() => client.say(message), this.playedAtMs - now);
    });
  }

  said(speaker: 'agent' | 'caller'): string[] {
    return this.client.messages
      .filter((one) => one['speaker'] === speaker && one['final'] === true)
      .map(({ text }) => String(text));
  }

  /** Milliseconds of sound that is not silent. */
  heardMs(): number {
    const all = Buffer.concat(this.client.audio);
    let loud = 0;
    for (let at = 0; at + 1 < all.length; at += 2) if (Math.abs(all.readInt16LE(at)) > 64) loud += 1;
    return loud / 16;
  }

  /** Waits until the agent was in the state `listening` so many times, which follows the playback of each utterance. */
  async listens(times: number): Promise<void> {
    const listened = (): number => this.client.messages.filter(({ state }) => state === 'listening').length;
    await eventually(() => listened() >= times || this.client.closed !== undefined || undefined);
  }

  async ended(): Promise<Ended> {
    await this.client.closeCode();
    const completed = await eventually(() => this.platform.of(this.jobId, 'complete')[0]);
    const events = this.platform.of(this.jobId, 'reports').flatMap(({ body }) => body['events'] as WorkerJobEvent[]);
    const end = events.findLast(({ type }) => type === 'ended' || type === 'failed');
    return { end, problems: end?.problems ?? [], completed: completed.body };
  }

  hangUp(): Promise<Ended> {
    this.client.say({ type: 'hang_up' });
    return this.ended();
  }

  /** Sends audio in real time, 20 ms at a time, followed by a second of silence. */
  async say(sound: Buffer): Promise<void> {
    const all = Buffer.concat([sound, Buffer.alloc(32_000)]);
    const begin = performance.now();
    for (let at = 0; at < all.length && this.client.closed === undefined; at += frameBytes) {
      this.client.socket.send(all.subarray(at, at + frameBytes));
      const dueMs = begin + (at + frameBytes) / 32 - performance.now();
      if (dueMs > 0) await new Promise((resolve) => setTimeout(resolve, dueMs));
    }
  }
}

export interface Ended {
  readonly end: WorkerJobEvent | undefined;
  readonly problems: NonNullable<WorkerJobEvent['problems']>;
  readonly completed: Partial<WorkerJobComplete>;
}

export interface Calling extends JobChange {
  readonly components?: readonly LeasedCredential[];
}

/** An engine with a media port, whose calls use local servers of providers. */
export class ProviderCalls {
  private readonly secrets = new Map<string, readonly LeasedCredential[]>();

  private constructor(
    readonly platform: FakePlatform,
    private readonly api: Platform,
    private readonly worker: Worker,
    private readonly server: MediaServer,
    private readonly loop: MediaLoop,
  ) {}

  static async start(
    limits: (account: Partial<ProviderAccount>) => Partial<Limits> = () => ({}),
    adapters?: readonly StreamingAdapter[],
  ): Promise<ProviderCalls> {
    const platform = new FakePlatform();
    await platform.start();
    const api = httpPlatform({ url: platform.url, token: 'tai_test', connections: 100, timeoutMs: 30_000 });
    const worker = new Worker({
      ...{ platform: api, takesTestCalls: true, carriers: [], log, workerId: 'engine-1', capacity: 100 },
      // Nearly all slots are for calls that are adopted.
      streams: ['twilio'],
      run: () => {
        throw new Error('nothing is claimed here');
      },
      signal: new AbortController().signal,
    });
    const failed = (error: unknown): never => {
      throw error;
    };
    const loop = new MediaLoop({ model: await VoiceModel.load(), late: () => undefined, failed });
    loop.start();
    const network = {
      accountOf: (account: Partial<ProviderAccount>) => ({ apiKey: undefined, ...account, limits: limits(account) }),
    };
    const runner = agentRunner({ ...environmentWith(api, adapters), network, loop });
    const connected = testCalls({ worker, platform: api, runner, log, onIgnored: () => undefined });
    const server = new MediaServer({
      host: '127.0.0.1',
      ...{ port: 0, origins: [], log, hasRoom: worker.hasRoom, connected },
    });
    await server.start();
    worker.start();
    const calls = new ProviderCalls(platform, api, worker, server, loop);
    platform.onRequest = ({ route, jobId }) => {
      if (route !== 'credentials') return undefined;
      const components = calls.secrets.get(jobId) ?? [];
      const body = { call_id: `call_of_${jobId}`, components, tools: [], connections: [], external: null };
      return { status: 200, body };
    };
    return calls;
  }

  async call(jobId: string, { components = [], ...change }: Calling): Promise<SpokenCall> {
    this.secrets.set(jobId, components);
    const job = jobTo('', jobId, { ...change, effective: { first_speaker: 'agent', ...change.effective } });
    this.platform.adoptable.set(jobId, { ...job, call: { ...job.call, status: 'dialing', direction: 'inbound' } });
    const protocols = ['parley.audio.v1', `parley.token.${jobId}`];
    return new SpokenCall(await BrowserClient.to(this.server.port, { protocols }), jobId, this.platform);
  }

  async stop(): Promise<void> {
    this.platform.letGo();
    await this.server.stop();
    await this.worker.stop();
    this.loop.stop();
    await this.api.close();
    await this.platform.kill();
  }
}

/** Words as sound of the offline voice, 16,000 samples a second. */
export async function spoken(text: string): Promise<Buffer> {
  const voice = new FliteVoice({ threads: 1, waiting: 8, timeoutMs: 30_000 });
  try {
    const wave = await voice.synthesize({ owner: 'test', text, voiceId: 'sim-anna', delivery: undefined });
    const { samples } = readWave(wave);
    return Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  } finally {
    await voice.stop();
  }
}
