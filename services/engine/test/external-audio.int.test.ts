import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createLogger } from '@parley/runtime';
import { resampleWhole } from '@parley/speech';
import { eventually } from '@parley/testing';
import { Webhook } from 'standardwebhooks';
import { WebSocketServer, type WebSocket } from 'ws';
import { agentRunner } from '../src/runners/agent';
import { testCalls } from '../src/runners/test-calls';
import { audioBounds } from '../src/external/audio-connection';
import { MediaServer } from '../src/lines/media-server';
import { MediaLoop } from '../src/media/media-loop';
import { muLawBytes, muLawSamples } from '../src/media/mu-law';
import { VoiceModel } from '../src/media/voice-model';
import { httpPlatform } from '../src/worker/platform';
import { Worker } from '../src/worker/worker';
import { BrowserClient } from './browser-client';
import { environmentWith } from './running-calls';
import { FakePlatform } from './fake-platform';
import { jobTo } from './jobs';
import { concat, decibels, find, pieces, silence, tone } from './waveforms';

const log = createLogger({ service: 'test', level: 'silent' });
const secret = `whsec_${randomBytes(32).toString('base64')}`;
const rate = 16_000;
const frame = 320;
/** The limits of the engine, shortened so that tests need not wait ten seconds. */
const bounds = { ...audioBounds, pingMs: 500, awayMs: 1_500, firstRetryMs: 50, longestRetryMs: 200 };

interface Message {
  readonly event: string;
  readonly streamSid?: string;
  readonly sequenceNumber?: string;
  readonly start?: {
    readonly callSid: string;
    readonly streamSid: string;
    readonly mediaFormat: object;
    readonly customParameters: Record<string, string>;
  };
  readonly media?: { readonly payload: string; readonly chunk: string; readonly timestamp: string };
  readonly mark?: { readonly name: string };
  readonly dtmf?: { readonly digit: string };
}

/** One stream at the customer's server. */
class Stream {
  readonly messages: Message[] = [];
  closed: number | undefined;

  constructor(
    readonly socket: WebSocket,
    readonly headers: IncomingHttpHeaders,
    readonly tcp: Socket,
  ) {
    socket.on('message', (data: Buffer) => this.messages.push(JSON.parse(data.toString()) as Message));
    socket.on('close', (code) => (this.closed = code));
  }

  of(event: string): Message[] {
    return this.messages.filter((one) => one.event === event);
  }

  /** The audio that it received, with 8,000 samples per second. */
  get heard(): Int16Array {
    return muLawSamples(
      Buffer.concat(this.of('media').map(({ media }) => Buffer.from(media?.payload ?? '', 'base64'))),
    );
  }

  send(message: object): void {
    this.socket.send(JSON.stringify(message));
  }

  say(samples: Int16Array): void {
    this.send({ event: 'media', media: { payload: muLawBytes(samples).toString('base64') } });
  }
}

describe("a customer's server in mode external_audio", () => {
  const platform = new FakePlatform();
  const streams: Stream[] = [];
  const answers: (number | undefined)[] = [];
  let own: WebSocketServer;
  let loop: MediaLoop;
  let worker: Worker;
  let media: MediaServer;
  let calls = 0;

  beforeAll(async () => {
    own = new WebSocketServer({
      port: 0,
      host: '127.0.0.1',
      verifyClient: (_, allow) => {
        const status = answers.shift();
        if (status === undefined) allow(true);
        else allow(false, status);
      },
    });
    own.on('connection', (socket, request) => streams.push(new Stream(socket, request.headers, request.socket)));
    await once(own, 'listening');
    await platform.start();
    const api = httpPlatform({ url: platform.url, token: 'tai_test', connections: 10, timeoutMs: 30_000 });
    const run = (): never => {
      throw new Error('nothing is claimed here');
    };
    const signal = new AbortController().signal;
    worker = new Worker({
      ...{ platform: api, takesTestCalls: true, carriers: [], run, log, workerId: 'engine-1', capacity: 8, signal },
    });
    const failed = (error: unknown): never => {
      throw error;
    };
    loop = new MediaLoop({ model: await VoiceModel.load(), late: () => undefined, failed });
    loop.start();
    const runner = agentRunner({ ...environmentWith(api), loop, bounds });
    const connected = testCalls({ worker, platform: api, runner, log, onIgnored: () => undefined });
    media = new MediaServer({ host: '127.0.0.1', port: 0, origins: [], log, hasRoom: worker.hasRoom, connected });
    await media.start();
    worker.start();
  });
  beforeEach(() => {
    streams.splice(0);
    answers.splice(0);
    platform.onRequest = ({ route }) =>
      route === 'credentials' ? { status: 200, body: { ...nothingSecret, external: external() } } : undefined;
  });
  afterAll(async () => {
    platform.letGo();
    await media.stop();
    await worker.stop();
    loop.stop();
    await platform.kill();
    for (const client of own.clients) client.terminate();
    own.close();
  });

  const nothingSecret = { call_id: 'call', components: [], tools: [], connections: [] };
  const external = () => ({ url: url(), signing_secrets: [secret] });
  const url = (): string => `ws://127.0.0.1:${(own.address() as AddressInfo).port}/audio`;

  /** A caller in a browser who is silent except for the audio given to `say`. */
  async function call(effective: Record<string, unknown> = {}, spendCapSeconds?: number) {
    const jobId = `job_${(calls += 1)}`;
    const job = jobTo('', jobId, {
      mode: 'external_audio',
      effective,
      ...(spendCapSeconds !== undefined && { spendCapSeconds }),
    });
    platform.adoptable.set(jobId, { ...job, call: { ...job.call, status: 'dialing', direction: 'inbound' } });
    const client = await BrowserClient.to(media.port, { protocols: ['parley.audio.v1', `parley.token.${jobId}`] });
    let playedAtMs = performance.now();
    const played: { samples: number; atMs: number }[] = [];
    client.socket.on('message', (data: Buffer, binary: boolean) => {
      const now = performance.now();
      if (binary) {
        playedAtMs = Math.max(now, playedAtMs);
        played.push({ samples: data.length / 2, atMs: playedAtMs });
        playedAtMs += data.length / 32;
        return;
      }
      const message = JSON.parse(data.toString()) as { type: string };
      if (message.type === 'clear') playedAtMs = now;
      if (message.type === 'mark') setTimeout(() => client.say(message), playedAtMs - now);
    });
    const say = async (samples: Int16Array): Promise<void> => {
      const begin = performance.now();
      let saidMs = 0;
      for (const piece of pieces(samples, frame)) {
        client.socket.send(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
        saidMs += piece.length / (rate / 1000);
        const dueMs = begin + saidMs - performance.now();
        if (dueMs > 0) await new Promise((resolve) => setTimeout(resolve, dueMs));
      }
    };
    /** When a sample was played, on the clock of the process. */
    const playedAt = (sample: number): number => {
      let from = 0;
      for (const { samples, atMs } of played) {
        if (sample < from + samples) return atMs + (sample - from) / 16;
        from += samples;
      }
      return Infinity;
    };
    const heard = (): Int16Array => {
      const bytes = Buffer.concat(client.audio);
      return new Int16Array(new Uint8Array(bytes).buffer, 0, bytes.length / 2);
    };
    return {
      jobId,
      client,
      say,
      heard,
      playedAt,
      ended: () => eventually(() => platform.of(jobId, 'complete').at(0)?.body),
    };
  }
  const stream = (nth = 1): Promise<Stream> =>
    eventually(() => streams.filter((one) => one.of('start').length > 0)[nth - 1]);
  const endOf = (jobId: string): unknown => (platform.of(jobId, 'reports').at(-1)?.body['events'] as unknown[])[0];
  const inBrowser = (samples: Int16Array): Int16Array => resampleWhole(samples, 8_000, rate);

  it('receives a signed handshake, and a start message with the call', async () => {
    const { client, jobId, ended } = await call();
    const { headers, messages } = await stream();
    expect(() => new Webhook(secret).verify('{}', headers as Record<string, string>)).not.toThrow();
    expect(headers['webhook-id']).toBe(`call_of_${jobId}_1`);
    expect(messages[0]).toEqual({ event: 'connected', protocol: 'Call', version: '1.0.0' });
    expect(messages[1]).toMatchObject({
      event: 'start',
      sequenceNumber: '1',
      streamSid: `call_of_${jobId}_1`,
      start: {
        callSid: `call_of_${jobId}`,
        streamSid: `call_of_${jobId}_1`,
        tracks: ['inbound'],
        mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8_000, channels: 1 },
        customParameters: { brand: 'Acme', call_id: `call_of_${jobId}`, direction: 'inbound', connection: '1' },
      },
    });
    client.say({ type: 'hang_up' });
    await ended();
  });

  it('receives the caller’s audio and is heard by the caller, with a round trip under 300 ms and without loss', async () => {
    const { client, say, heard, playedAt, ended } = await call();
    const server = await stream();
    server.socket.on('message', (data: Buffer) => {
      const { event, media: sound } = JSON.parse(data.toString()) as Message;
      if (event === 'media') server.send({ event: 'media', media: { payload: sound?.payload } });
    });
    const word = concat(tone(rate, 200, [440]), tone(rate, 200, [660]), tone(rate, 200, [550]));
    await say(silence(rate, 200));
    const saidAtMs = performance.now();
    await say(concat(word, silence(rate, 800)));
    const back = await eventually(() => {
      const found = find(word, heard(), 8);
      return found.correlation > 0.9 ? found : undefined;
    });
    const spoken = resampleWhole(word, rate, 8_000);
    const said = find(spoken, server.heard);
    expect(said.correlation).toBeGreaterThan(0.98);
    expect(playedAt(back.at) - saidAtMs).toBeLessThan(300);
    expect(playedAt(back.at) - saidAtMs).toBeGreaterThan(0);
    const chunks = server.of('media').map(({ media: sound }) => Number(sound?.chunk));
    expect(chunks).toEqual(chunks.map((_, n) => n + 1));
    client.say({ type: 'hang_up' });
    expect(await ended()).toMatchObject({ transcript: null });
    await eventually(() => server.of('stop')[0] && server.closed === 1000);
  });

  it('gets its marks back in order when the audio before them was played, and immediately after a clear', async () => {
    const { client, heard, ended } = await call();
    const server = await stream();
    const [beep, long] = [tone(8_000, 400, [700]), tone(8_000, 10_000, [700])];
    server.send({ event: 'mark', mark: { name: 'nothing before it' } });
    await eventually(() => server.of('mark').length === 1 || undefined);
    const begin = performance.now();
    server.say(beep);
    server.send({ event: 'mark', mark: { name: 'played' } });
    await eventually(() => server.of('mark').length === 2 || undefined);
    expect(performance.now() - begin).toBeGreaterThan(380);
    server.say(long);
    server.send({ event: 'mark', mark: { name: 'first' } });
    server.send({ event: 'mark', mark: { name: 'second' } });
    await eventually(() => heard().length > rate || undefined);
    server.send({ event: 'clear' });
    await eventually(() => server.of('mark').length === 4 || undefined);
    expect(server.of('mark').map(({ mark }) => mark?.name)).toEqual(['nothing before it', 'played', 'first', 'second']);
    expect(find(inBrowser(beep), heard(), 8).correlation).toBeGreaterThan(0.95);
    expect(heard().length).toBeLessThan(4 * rate);
    client.say({ type: 'hang_up' });
    await ended();
  });

  it('receives DTMF keys of the caller, and can send DTMF keys', async () => {
    const { client, heard, ended } = await call();
    const server = await stream();
    client.say({ type: 'dtmf', digits: '12#' });
    await eventually(() => server.of('dtmf').length === 3 || undefined);
    expect(server.of('dtmf').map(({ dtmf }) => dtmf?.digit)).toEqual(['1', '2', '#']);
    server.send({ event: 'dtmf', dtmf: { digits: '5' } });
    await eventually(() => heard().length >= 0.18 * rate || undefined);
    expect(find(tone(rate, 60, [770, 1_336]), heard(), 4).correlation).toBeGreaterThan(0.9);
    client.say({ type: 'hang_up' });
    await ended();
  });

  it.each<[string, (server: Stream) => void]>([
    ['sends hang_up', (server) => server.send({ event: 'hang_up' })],
    ['closes the stream', (server) => server.socket.close(1000)],
  ])('ends the call when it %s', async (_, act) => {
    const { client, jobId, ended } = await call();
    act(await stream());
    await ended();
    expect(endOf(jobId)).toMatchObject({ type: 'ended', ended_reason: 'agent_hung_up' });
    expect(await client.closeCode()).toBe(1000);
  });

  it.each<[string, string, (act: Awaited<ReturnType<typeof call>>) => void]>([
    ['the caller hangs up', 'caller_hung_up', ({ client }) => client.say({ type: 'hang_up' })],
    ['the call is canceled', 'canceled', ({ jobId }) => void platform.canceled.add(jobId)],
  ])('receives a stop message when %s', async (_, reason, act) => {
    const one = await call();
    const server = await stream();
    act(one);
    await one.ended();
    expect(endOf(one.jobId)).toMatchObject({ ended_reason: reason });
    await eventually(() => server.of('stop')[0]);
  });

  it.each([
    ['max_call_seconds', 1, undefined, 'max_call_duration_reached'],
    ['the spend cap', 2, 1, 'spend_cap'],
    ['max_call_seconds, if the spend cap is reached at the same time', 1, 1, 'max_call_duration_reached'],
  ])('is disconnected, and the call ended, at %s', async (_, max_call_seconds, spendCapSeconds, reason) => {
    const { jobId, ended } = await call({ max_call_seconds }, spendCapSeconds);
    await ended();
    expect(endOf(jobId)).toMatchObject({ ended_reason: reason });
  });

  it.each<[string, (server: Stream) => void]>([
    ['loses its connection', (server) => server.tcp.destroy()],
    ['restarts', (server) => server.socket.close(1001)],
    ['does not answer pings', (server) => void server.tcp.pause()],
    ['sends more audio than is buffered', (server) => [1, 2, 3].forEach(() => server.say(silence(8_000, 60_000)))],
  ])('that %s is reconnected as a new stream of the same call, which continues', async (_, act) => {
    const { client, jobId, say, ended } = await call();
    act(await stream());
    const again = await stream(2);
    expect(again.of('start')[0]?.start).toMatchObject({
      callSid: `call_of_${jobId}`,
      customParameters: { connection: '2' },
    });
    await say(tone(rate, 300, [440]));
    await eventually(() => decibels(again.heard.subarray(-800)) > -30 || undefined);
    client.say({ type: 'hang_up' });
    await ended();
    expect(endOf(jobId)).toMatchObject({
      ended_reason: 'caller_hung_up',
      problems: [{ code: 'external_server_failed' }],
    });
  });

  it('that is unavailable for too long ends the call with agent_unresponsive', async () => {
    answers.push(...Array<number>(100).fill(503));
    const { jobId, ended } = await call();
    await ended();
    expect(endOf(jobId)).toMatchObject({ ended_reason: 'agent_unresponsive', reason_detail: 'external_server_lost' });
    expect((endOf(jobId) as { problems: unknown[] }).problems).toContainEqual(
      expect.objectContaining({ code: 'external_server_failed', detail: expect.stringContaining('HTTP 503') }),
    );
  });

  it('that is connected late receives the earlier audio of the caller', async () => {
    answers.push(503, 503);
    const { client, say, ended } = await call();
    const word = tone(rate, 300, [440]);
    await say(word);
    const server = await stream();
    await say(silence(rate, 200));
    await eventually(() => find(resampleWhole(word, rate, 8_000), server.heard).correlation > 0.5 || undefined);
    client.say({ type: 'hang_up' });
    await ended();
  });

  it('may send unknown messages, which are ignored', async () => {
    const { client, jobId, ended } = await call();
    const server = await stream();
    for (const text of ['x', '[]', '{"event":"media"}', '{"event":"media","media":{"payload":"%"}}', '{"event":"new"}'])
      server.socket.send(text);
    server.socket.send(Buffer.alloc(20));
    server.send({ event: 'mark', mark: { name: 'after' } });
    await eventually(() => server.of('mark')[0]);
    client.say({ type: 'hang_up' });
    await ended();
    expect(endOf(jobId)).not.toHaveProperty('problems');
  });

  it('without a configured URL: the call fails with configuration_not_runnable', async () => {
    platform.onRequest = ({ route }) =>
      route === 'credentials'
        ? { status: 200, body: { ...nothingSecret, external: { url: '', signing_secrets: [] } } }
        : undefined;
    const { jobId, ended } = await call();
    await ended();
    expect(endOf(jobId)).toMatchObject({ type: 'failed', ended_reason: 'configuration_not_runnable' });
    expect(streams).toHaveLength(0);
  });

  it('is disconnected if the worker loses the lease of the call', async () => {
    const { client, jobId } = await call();
    const server = await stream();
    platform.lost.add(jobId);
    expect(await client.closeCode()).toBe(1000);
    await eventually(() => server.closed !== undefined || undefined);
    expect(platform.of(jobId, 'complete')).toHaveLength(0);
  });

  it('keeps its call at a worker that stops, which waits for the end and does not hand the call over', async () => {
    const { client, jobId, say } = await call();
    const server = await stream();
    let stopped = false;
    const stopping = worker.stop().then(() => (stopped = true));
    const before = server.of('media').length;
    await say(new Int16Array(rate / 2).fill(500));
    await eventually(() => server.of('media').length > before || undefined);
    expect([stopped, platform.of(jobId, 'hand-over'), platform.of(jobId, 'complete')]).toEqual([false, [], []]);
    client.say({ type: 'hang_up' });
    await stopping;
    expect(platform.of(jobId, 'complete')).toHaveLength(1);
  });
});
