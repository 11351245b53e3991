import type { WorkerCapabilities } from '@parley/contract';
import { createLogger, Registry } from '@parley/runtime';
import { eventually } from '@parley/testing';
import { parrot } from '../src/runners/parrot';
import { testCalls } from '../src/runners/test-calls';
import { MediaServer } from '../src/lines/media-server';
import { countIgnored } from '../src/worker/engine-metrics';
import { httpPlatform } from '../src/worker/platform';
import { Worker } from '../src/worker/worker';
import { BrowserClient, RefusedHandshake, type Connecting } from './browser-client';
import { FakePlatform } from './fake-platform';
import { jobTo } from './jobs';

const log = createLogger({ service: 'test', level: 'silent' });
const console = 'https://console.example.com';

let platform: FakePlatform;
let worker: Worker;
let server: MediaServer;
let draining: AbortController;
let metrics: Registry;

async function start(takesTestCalls = true): Promise<void> {
  [platform, draining, metrics] = [new FakePlatform(), new AbortController(), new Registry()];
  await platform.start();
  const api = httpPlatform({ url: platform.url, token: 'tai_test', connections: 10, timeoutMs: 30_000 });
  worker = new Worker({
    platform: api,
    takesTestCalls,
    hasOfflineSpeech: takesTestCalls,
    carriers: [],
    run: () => {
      throw new Error('nothing is claimed here');
    },
    log,
    workerId: 'engine-1',
    capacity: 4,
    signal: draining.signal,
  });
  const onIgnored = countIgnored(metrics);
  server = new MediaServer({
    host: '127.0.0.1',
    port: 0,
    origins: [console, 'http://127.0.0.1:8080'],
    log,
    hasRoom: worker.hasRoom,
    connected: testCalls({ worker, platform: api, runner: parrot, log, onIgnored }),
  });
  await server.start();
  worker.start();
}

beforeEach(() => start());
afterEach(async () => {
  platform.letGo();
  await server.stop();
  await worker.stop();
  await platform.kill();
});

const adoptable = (token: string, jobId = `job_${token}`, leaseSeconds = 15): string => {
  platform.adoptable.set(token, jobTo('', jobId, { leaseSeconds }));
  return jobId;
};

const connect = (token: string, rest: Connecting = {}) =>
  BrowserClient.to(server.port, { protocols: ['parley.audio.v1', `parley.token.${token}`], ...rest });

/** The status of a handshake that is refused. */
async function refused(connecting: Connecting): Promise<number> {
  try {
    await BrowserClient.to(server.port, connecting);
  } catch (error) {
    if (error instanceof RefusedHandshake) return error.status;
    throw error;
  }
  throw new Error('the handshake was not refused');
}

describe('test calls', () => {
  it('are declared as capability, adopted by their token, conducted and completed', async () => {
    const jobId = adoptable('secret-1');
    const client = await connect('secret-1');
    expect(client.socket.protocol).toBe('parley.audio.v1');
    expect(await client.typesOf(2)).toEqual(['ready', 'state']);
    const sound = Buffer.from(Int16Array.from({ length: 320 }, (_, at) => at).buffer);
    client.socket.send(sound);
    await eventually(() => client.audio.length || undefined);
    expect(client.audio).toEqual([sound]);
    client.say({ type: 'text', text: 'Hello there' });
    await client.typesOf(4);
    expect(client.messages.slice(2)).toEqual([
      { type: 'transcript', speaker: 'caller', turn_id: 'turn_1', text: 'Hello there', final: true },
      { type: 'transcript', speaker: 'agent', turn_id: 'turn_2', text: 'Hello there', final: true },
    ]);
    expect(worker.live).toBe(1);
    client.say({ type: 'hang_up' });
    expect(await client.closeCode()).toBe(1000);
    const [completed] = await eventually(() => (worker.live === 0 ? platform.of(jobId, 'complete') : undefined));
    expect(completed?.body).toMatchObject({
      epoch: 1,
      transcript: { turns: [{ speaker: 'caller', text: 'Hello there' }, { speaker: 'agent' }] },
    });
    expect(platform.eventsOf(jobId)).toEqual(['answered', 'media_started', 'ended']);
    expect(platform.of(jobId, 'reports').at(-1)?.body).toMatchObject({ events: [{ ended_reason: 'caller_hung_up' }] });
    const [adopted] = platform.reported.filter(({ route }) => route === 'adopt');
    expect(adopted?.body).toMatchObject({
      token: 'secret-1',
      worker_id: 'engine-1',
      capabilities: { carriers: ['browser'] },
    });
    const [claimed] = platform.reported.filter(({ route }) => route === 'claim');
    const { providers } = claimed?.body['capabilities'] as WorkerCapabilities;
    expect(claimed?.body).toMatchObject({ capabilities: { carriers: ['browser'] } });
    expect([providers.stt, providers.llm, providers.tts].map((names) => names.includes('offline'))).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('accept the token in the URL instead of the subprotocol', async () => {
    adoptable('secret-2');
    const client = await BrowserClient.to(server.port, { path: '/calls/browser?token=secret-2', protocols: [] });
    expect(await client.typesOf(1)).toContain('ready');
  });

  it.each([
    ['no token', ''],
    ['a token that cannot be one', 'a.b'],
    ['a token of 129 letters', 'x'.repeat(129)],
  ])('are closed with 1008 for %s, without calling the platform', async (_, token) => {
    const client = await BrowserClient.to(server.port, { path: `/browser?token=${token}` });
    expect(await client.closeCode()).toBe(1008);
    expect(platform.reported.filter(({ route }) => route === 'adopt')).toEqual([]);
  });

  it.each([
    [400, 'BadRequestError', 1008],
    [404, 'NotFoundError', 1008],
    [409, 'ConflictError', 1008],
    [401, 'UnauthorizedError', 1013],
    [503, 'internal_error', 1013],
  ])('are closed with 1008 or 1013 if the platform answers %d to the token', async (status, error, code) => {
    platform.onRequest = ({ route }) => (route === 'adopt' ? { status, body: { error } } : undefined);
    const client = await connect('secret-3');
    expect(await client.closeCode()).toBe(code);
    expect(client.messages).toEqual([]);
    expect(worker.live).toBe(0);
  });

  it('use a token once: a second connection is closed with 1008, and the first continues', async () => {
    adoptable('secret-4');
    const first = await connect('secret-4');
    await first.typesOf(2);
    expect(await (await connect('secret-4')).closeCode()).toBe(1008);
    expect(first.closed).toBeUndefined();
  });

  it.each<[string, Connecting, number]>([
    ['a page with another Origin', { origin: 'https://evil.example.com' }, 403],
    ['a page whose Origin only begins like an allowed one', { origin: `${console}.evil.example` }, 403],
    ['another port of an allowed Origin', { origin: 'http://127.0.0.1:8081' }, 403],
    ['another protocol', { protocols: ['parley.audio.v2'] }, 400],
    ['another path', { path: '/elsewhere' }, 404],
  ])('refuse %s', async (_, connecting, status) => {
    expect(await refused(connecting)).toBe(status);
  });

  it('accept allowed Origins', async () => {
    adoptable('secret-5');
    const client = await connect('secret-5', { origin: console });
    expect(await client.typesOf(1)).toContain('ready');
  });

  it('answer 426 to a request without WebSocket upgrade', async () => {
    expect((await fetch(`http://127.0.0.1:${server.port}/browser?token=secret`)).status).toBe(426);
  });

  it('use only slots that no open claim requested: otherwise the handshake is refused with 503, and the token remains valid', async () => {
    for (const token of ['a', 'b', 'c']) adoptable(token);
    const first = await connect('a');
    const second = await connect('b');
    await Promise.all([first.typesOf(2), second.typesOf(2)]);
    expect(await refused({ protocols: ['parley.audio.v1', 'parley.token.c'] })).toBe(503);
    first.say({ type: 'hang_up' });
    await eventually(() => worker.hasRoom() || undefined);
    expect(await (await connect('c')).typesOf(1)).toContain('ready');
  });

  it('are refused while the worker drains, and those in progress continue to their end', async () => {
    const jobId = adoptable('secret-6');
    const client = await connect('secret-6');
    await client.typesOf(2);
    draining.abort();
    expect(await refused({})).toBe(503);
    const stopped = worker.stop();
    client.say({ type: 'text', text: 'still there?' });
    await client.typesOf(4);
    client.say({ type: 'hang_up' });
    await stopped;
    expect(platform.of(jobId, 'complete')).toHaveLength(1);
  });

  it('end when the platform cancels them, and the client receives the reason', async () => {
    const jobId = adoptable('secret-7', 'job_7', 1);
    const client = await connect('secret-7');
    await client.typesOf(2);
    platform.canceled.add(jobId);
    expect(await client.closeCode()).toBe(1000);
    expect(client.messages.at(-1)).toEqual({ type: 'ended', ended_reason: 'canceled', reason_detail: null });
  });

  it('end when their lease is lost, and report nothing more', async () => {
    const jobId = adoptable('secret-8', 'job_8', 1);
    const client = await connect('secret-8');
    await client.typesOf(2);
    platform.lost.add(jobId);
    expect(await client.closeCode()).toBe(1000);
    await eventually(() => worker.live === 0 || undefined);
    expect(platform.of(jobId, 'complete')).toEqual([]);
    expect(platform.eventsOf(jobId)).toEqual(['answered', 'media_started']);
  });

  it('end with carrier_failure if the connection breaks', async () => {
    const jobId = adoptable('secret-9');
    const client = await connect('secret-9');
    await client.typesOf(2);
    client.socket.terminate();
    await eventually(() => platform.of(jobId, 'complete').length || undefined);
    expect(platform.of(jobId, 'reports').at(-1)?.body).toMatchObject({ events: [{ ended_reason: 'carrier_failure' }] });
  });

  it('are refused with 503 by a worker that does not accept them, which declares no browser carrier', async () => {
    await Promise.all([server.stop(), worker.stop(), platform.kill()]);
    await start(false);
    expect(await refused({})).toBe(503);
    const [claimed] = await eventually(() => (platform.reported.length > 0 ? platform.reported : undefined));
    expect(claimed?.body).toMatchObject({ capabilities: { carriers: [] } });
  });

  it('count ignored messages in the metrics', async () => {
    adoptable('secret-10');
    const client = await connect('secret-10');
    client.say({ type: 'dance' });
    client.say({ type: 'text', text: 'after it' });
    await client.typesOf(4);
    expect(await metrics.metrics()).toContain('parley_engine_ignored_messages_total 1');
  });
});
