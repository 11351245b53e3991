import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { once } from 'node:events';
import { createLogger } from '@parley/runtime';
import { eventually } from '@parley/testing';
import { WebSocket } from 'ws';
import { parrot } from '../src/runners/parrot';
import { MediaServer } from '../src/lines/media-server';
import { streamsOf } from '../src/lines/streams';
import { adoptedLines } from '../src/worker/adopted-lines';
import { httpPlatform } from '../src/worker/platform';
import { Worker } from '../src/worker/worker';
import { FakePlatform } from './fake-platform';
import { jobTo } from './jobs';
import { runningAt } from './simulated-calls';

const log = createLogger({ service: 'test', level: 'silent' });
const path = '/media/twilio';

let platform: FakePlatform;
let worker: Worker;
let server: MediaServer;
let draining: AbortController;

async function start({
  capacity = 4,
  dials = false,
  refusedPerMinute = 30,
  tokenKeys = [] as string[],
} = {}): Promise<void> {
  [platform, draining] = [new FakePlatform(), new AbortController()];
  platform.tokenKeys = tokenKeys;
  await platform.start();
  const api = httpPlatform({ url: platform.url, token: 'tai_test', connections: 10, timeoutMs: 30_000 });
  worker = new Worker({
    platform: api,
    streams: ['twilio'],
    refusedPerMinute,
    carriers: dials ? ['simulator'] : [],
    run: runningAt(1, api),
    log,
    workerId: 'engine-1',
    capacity,
    signal: draining.signal,
  });
  server = new MediaServer({
    host: '127.0.0.1',
    port: 0,
    origins: [],
    log,
    hasRoom: worker.hasRoom,
    connected: (socket) => socket.terminate(),
    streams: adoptedLines({
      worker,
      platform: api,
      runner: parrot,
      streams: streamsOf({ ari: undefined, announce: () => false }),
      log,
    }),
  });
  await server.start();
  worker.start();
}

afterEach(async () => {
  platform.letGo();
  await server.stop();
  await worker.stop();
  await platform.kill();
});

/** The carrier's side of a stream. */
class Stream {
  readonly payloads: string[] = [];
  readonly closed: Promise<number>;

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => {
      const { event, media } = JSON.parse(data.toString()) as { event: string; media?: { payload: string } };
      if (event === 'media') this.payloads.push(media?.payload ?? '');
    });
    this.closed = once(socket, 'close').then(([code]) => code as number);
  }

  static async open(token: string): Promise<Stream> {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`);
    const stream = new Stream(socket);
    await once(socket, 'open');
    const mediaFormat = { encoding: 'audio/x-mulaw', sampleRate: 8_000, channels: 1 };
    const about = { accountSid: 'AC1', streamSid: 'MZ1', callSid: 'CA1', tracks: ['inbound'], mediaFormat };
    stream.send({ event: 'connected', protocol: 'Call', version: '1.0.0' });
    stream.send({ event: 'start', streamSid: 'MZ1', start: { ...about, customParameters: { token } } });
    return stream;
  }

  send(message: object): void {
    this.socket.send(JSON.stringify(message));
  }

  say(payload: string): void {
    this.send({ event: 'media', streamSid: 'MZ1', media: { track: 'inbound', payload } });
  }
}

const adoptable = (token: string, leaseSeconds = 15): string => {
  platform.adoptable.set(token, jobTo('+14155550100', `job_${token}`, { leaseSeconds }));
  return `job_${token}`;
};

const slotsOf = (route: string): unknown =>
  platform.reported
    .filter((one) => one.route === route)
    .map(({ body }) => (body as { line_slots?: number }).line_slots)
    .at(-1);

describe('media streams of carriers', () => {
  it('are adopted with the token of their start message, and audio that arrived meanwhile is not lost', async () => {
    await start();
    const jobId = adoptable('secret-1');
    const stream = await Stream.open('secret-1');
    const payload = Buffer.alloc(160, 0x55).toString('base64');
    stream.say(payload);
    await eventually(() => stream.payloads.length || undefined);
    expect(stream.payloads).toEqual([payload]);
    stream.send({ event: 'stop', streamSid: 'MZ1' });
    expect(await stream.closed).toBe(1000);
    await eventually(() => platform.of(jobId, 'complete').at(0));
    expect(platform.eventsOf(jobId)).toEqual(['answered', 'media_started', 'ended']);
    const [adopted] = platform.reported.filter(({ route }) => route === 'adopt');
    expect(adopted?.body).toMatchObject({ token: 'secret-1', capabilities: { carriers: ['twilio'] } });
  });

  it.each(['', 'not a token', 'unknown'])('are closed if their token is %j', async (token) => {
    await start();
    expect(await (await Stream.open(token)).closed).toBe(1000);
    expect(worker.live).toBe(0);
  });

  it('are adopted from an address that sent too many invalid tokens, which are no longer asked about', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    await start({ refusedPerMinute: 1, tokenKeys: [publicKey.export({ format: 'jwk' }).x ?? ''] });
    await eventually(async () => ((await worker.ready()) === undefined ? true : undefined));
    for (const token of ['unknown-1', 'unknown-2']) expect(await (await Stream.open(token)).closed).toBe(1000);
    const random = randomBytes(16);
    const token = random.toString('base64url') + sign(null, random, privateKey).toString('base64url');
    adoptable(token);
    const stream = await Stream.open(token);
    await eventually(() => (worker.live === 1 ? true : undefined));
    const asked = platform.reported.filter(({ route }) => route === 'adopt').map(({ body }) => body['token']);
    expect(asked).toEqual(['unknown-1', token]);
    stream.send({ event: 'stop', streamSid: 'MZ1' });
    expect(await stream.closed).toBe(1000);
  });

  it.each([
    [4, false, 3],
    [10, false, 9],
    [10, true, 5],
    [2, true, 1],
  ])('a worker with %d slots (dials: %s) offers %d of them for streams', async (capacity, dials, offered) => {
    await start({ capacity, dials });
    await eventually(() => slotsOf('claim'));
    expect(slotsOf('claim')).toBe(offered);
  });

  it('a heartbeat reports free slots and those of live calls, while draining only those of live calls', async () => {
    await start();
    adoptable('secret-2', 1);
    const stream = await Stream.open('secret-2');
    await eventually(() => (slotsOf('heartbeat') === 4 ? true : undefined));
    draining.abort();
    await eventually(() => (slotsOf('heartbeat') === 1 ? true : undefined));
    stream.socket.close();
  });
});
