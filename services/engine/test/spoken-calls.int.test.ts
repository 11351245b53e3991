import { createLogger } from '@parley/runtime';
import { FliteVoice, Pocketsphinx, readWave } from '@parley/speech';
import { eventually } from '@parley/testing';
import { agentRunner } from '../src/runners/agent';
import { testCalls } from '../src/runners/test-calls';
import { MediaServer } from '../src/lines/media-server';
import { loudestDecibels } from '../src/media/environment';
import { MediaLoop } from '../src/media/media-loop';
import { VoiceModel } from '../src/media/voice-model';
import { createOfflineSpeech, type OfflineSpeech } from '../src/session/offline-speech';
import { httpPlatform } from '../src/worker/platform';
import { Worker } from '../src/worker/worker';
import { BrowserClient } from './browser-client';
import { environmentWith } from './running-calls';
import { FakePlatform } from './fake-platform';
import { jobTo } from './jobs';
import { decibels } from './waveforms';

const log = createLogger({ service: 'test', level: 'silent' });
const frameBytes = 640;

/** The agent speaks and listens with audio in real time. */
const lacking = Pocketsphinx.isAvailable() ? '' : ' (pocketsphinx is not installed)';
(lacking === '' ? describe : describe.skip)(`a test call with offline speech${lacking}`, () => {
  const platform = new FakePlatform();
  const voice = new FliteVoice({ threads: 2, waiting: 8, timeoutMs: 30_000 });
  let offline: OfflineSpeech;
  let loop: MediaLoop;
  let worker: Worker;
  let server: MediaServer;

  beforeAll(async () => {
    await platform.start();
    const api = httpPlatform({ url: platform.url, token: 'tai_test', connections: 10, timeoutMs: 30_000 });
    worker = new Worker({
      platform: api,
      takesTestCalls: true,
      carriers: [],
      run: () => {
        throw new Error('nothing is claimed here');
      },
      log,
      workerId: 'engine-1',
      capacity: 4,
      signal: new AbortController().signal,
    });
    offline = createOfflineSpeech({ calls: 4, log });
    loop = new MediaLoop({
      model: await VoiceModel.load(),
      late: () => undefined,
      failed: (error) => {
        throw error;
      },
    });
    loop.start();
    const runner = agentRunner({ ...environmentWith(api), offline, loop });
    const connected = testCalls({ worker, platform: api, runner, log, onIgnored: () => undefined });
    server = new MediaServer({ host: '127.0.0.1', port: 0, origins: [], log, hasRoom: worker.hasRoom, connected });
    await server.start();
    worker.start();
  });
  afterAll(async () => {
    platform.letGo();
    await server.stop();
    await worker.stop();
    await voice.stop();
    await offline.stop();
    loop.stop();
    await platform.kill();
  });

  /** A client that returns each mark when the audio before it was played. */
  async function connect(jobId: string, effective: object = {}) {
    const job = jobTo('', jobId, { effective: { first_speaker: 'agent', ...effective } });
    platform.adoptable.set(jobId, { ...job, call: { ...job.call, status: 'dialing', direction: 'inbound' } });
    const client = await BrowserClient.to(server.port, { protocols: ['parley.audio.v1', `parley.token.${jobId}`] });
    let playedAtMs = performance.now();
    client.socket.on('message', (data: Buffer, binary: boolean) => {
      const now = performance.now();
      if (binary) {
        playedAtMs = Math.max(now, playedAtMs) + data.length / 32;
        return;
      }
      const message = JSON.parse(data.toString()) as { type: string; name?: string };
      if (message.type === 'clear') playedAtMs = now;
      if (message.type === 'mark') setTimeout(() => client.say(message), playedAtMs - now);
    });
    // Background audio begins before this listener is added, so all audio of the client is counted.
    const heardBytes = (): number => client.audio.reduce((sum, { length }) => sum + length, 0);
    const said = (speaker: string): string[] =>
      client.messages
        .filter((one) => one['speaker'] === speaker && one['final'] === true)
        .map(({ text }) => String(text));
    return { client, said, heardBytes };
  }

  /** Waits until the agent was in the state `listening` so many times, which follows the playback of each utterance. */
  const listening = (client: BrowserClient, times: number): Promise<true> =>
    eventually(() => client.messages.filter(({ state }) => state === 'listening').length >= times || undefined);

  /** Sends the text as audio in real time, 20 ms at a time, followed by silence. */
  async function say(client: BrowserClient, text: string): Promise<void> {
    const wave = await voice.synthesize({ owner: 'test', text, voiceId: 'sim-anna', delivery: undefined });
    const { samples } = readWave(wave);
    const sound = Buffer.concat([
      Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength),
      Buffer.alloc(32_000),
    ]);
    const begin = performance.now();
    for (let at = 0; at < sound.length; at += frameBytes) {
      client.socket.send(sound.subarray(at, at + frameBytes));
      const dueMs = begin + (at + frameBytes) / 32 - performance.now();
      if (dueMs > 0) await new Promise((resolve) => setTimeout(resolve, dueMs));
    }
  }

  it('plays the background audio of the agent at its volume while listening, without reporting a problem', async () => {
    const environment = { preset: 'office', volume: 0.5 };
    const { client, heardBytes } = await connect('job_office', { audio_environment: environment });
    await listening(client, 1);
    const from = heardBytes() + 16_000;
    await eventually(() => heardBytes() >= from + 64_000 || undefined);
    const bytes = Uint8Array.from(Buffer.concat(client.audio).subarray(from, from + 64_000));
    const expected = loudestDecibels + 20 * Math.log10(environment.volume);
    expect(Math.abs(decibels(new Int16Array(bytes.buffer)) - expected)).toBeLessThan(1.5);
    client.say({ type: 'hang_up' });
    await eventually(() => platform.of('job_office', 'complete').length > 0 || undefined);
    expect(JSON.stringify(platform.of('job_office', 'reports'))).not.toContain('audio_environment');
  });

  it('greets with audio, recognizes the question, replies with audio, and detects the end', async () => {
    const { client, said, heardBytes } = await connect('job_spoken');
    await listening(client, 1);
    expect(said('agent')).toEqual(['Good morning, this is Acme.']);
    expect(client.messages[0]).toEqual({ type: 'ready' });
    const greeting = heardBytes();
    // At least one second of audio.
    expect(greeting).toBeGreaterThan(32_000);
    expect(Math.max(...client.audio.map((bytes) => Math.abs(bytes.readInt16LE(bytes.length - 2))))).toBeGreaterThan(
      300,
    );
    await say(client, 'What are your opening hours on Saturday?');
    await listening(client, 2);
    expect(said('caller')).toEqual(['what are your opening hours on saturday']);
    expect(said('agent')[1]).toContain('You said: what are your opening hours on saturday');
    expect(heardBytes()).toBeGreaterThan(greeting + 32_000);
    // A reply that was generated before the end of the turn starts immediately, without the state `thinking`.
    const states = client.messages.filter(({ type }) => type === 'state').map(({ state }) => state);
    expect(states.filter((state) => state !== 'thinking')).toEqual(['speaking', 'listening', 'speaking', 'listening']);
    client.say({ type: 'hang_up' });
    expect(await client.closeCode()).toBe(1000);
    expect(client.messages.at(-1)).toMatchObject({ type: 'ended', ended_reason: 'caller_hung_up' });
    const [completed] = await eventually(() => {
      const found = platform.of('job_spoken', 'complete');
      return found.length > 0 ? found : undefined;
    });
    expect(completed?.body).toMatchObject({
      transcript: { turns: [{ speaker: 'agent' }, { speaker: 'caller' }, { speaker: 'agent' }] },
    });
    expect(completed?.body).not.toHaveProperty('recording');
    expect(platform.eventsOf('job_spoken')).toEqual(['answered', 'media_started', 'ended']);
  });

  it('answers a typed turn, which interrupts the agent', async () => {
    const { client, said } = await connect('job_typed');
    await eventually(() => client.audio.length > 0 || undefined);
    client.say({ type: 'text', text: 'Hello there' });
    await eventually(() => said('agent').some((text) => text.startsWith('You said: Hello there')) || undefined);
    expect(said('caller')).toEqual(['Hello there']);
    client.say({ type: 'hang_up' });
    expect(await client.closeCode()).toBe(1000);
  });

  it('stops speaking when it is interrupted, and clears the audio at the client', async () => {
    const { client, said } = await connect('job_interrupted');
    await eventually(() => client.audio.length > 0 || undefined);
    await say(client, 'Please stop talking, I have a question about my invoice.');
    expect(client.messages.filter(({ type }) => type === 'clear')).toHaveLength(1);
    // Recognition is slow on a busy machine.
    await eventually(() => said('caller').length > 0 || undefined, { timeoutMs: 60_000 });
    client.say({ type: 'hang_up' });
    expect(await client.closeCode()).toBe(1000);
  });

  it('refuses a publication with unavailable components, and reports configuration_not_runnable to the client', async () => {
    const job = jobTo('', 'job_foreign', { publication: { voice: { provider: 'elevenlabs', model: 'x' } } });
    platform.adoptable.set('job_foreign', job);
    const client = await BrowserClient.to(server.port, { path: '/browser?token=job_foreign' });
    expect(await client.closeCode()).toBe(1000);
    expect(client.messages).toEqual([
      { type: 'ended', ended_reason: 'configuration_not_runnable', reason_detail: null },
    ]);
  });
});
