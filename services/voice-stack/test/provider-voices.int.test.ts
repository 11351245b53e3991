import { testSink, type SinkAnswer, type SinkRequest, type TestSink } from '@parley/testing';
import { serviceCaller } from '@parley/runtime';
import { WebSocketServer } from 'ws';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { synthesizePreview } from '../src/previews';
import { KeptCredentials, partsOf, type Given } from './parts';

const context = { requestId: 'test', caller: serviceCaller };
/** Half a second of a square wave as raw 16-bit samples at 24 kHz, the format of OpenAI's responses. */
const pcm = Buffer.from(Int16Array.from({ length: 12_000 }, (_, index) => (index % 100 < 50 ? 8_000 : -8_000)).buffer);

interface Asked {
  /** Provider, model and voice. */
  readonly voice?: readonly [string, string, string];
  readonly delivery?: '' | 'calm';
  readonly language?: string;
  readonly organizationId?: string;
  readonly credentialId?: string;
}

/** Implements OpenAI's protocol strictly, including the requests that it rejects. */
function provider(request: SinkRequest): SinkAnswer {
  const fields = Object.keys(request.json as object);
  if (request.url !== '/v1/audio/speech' || request.method !== 'POST') return { status: 404 };
  if (request.headers.authorization !== 'Bearer own-key') return { status: 401 };
  const allowed = ['model', 'voice', 'input', 'response_format', 'instructions', 'speed'];
  return fields.every((name) => allowed.includes(name)) ? { status: 200, body: pcm } : { status: 400 };
}

describe('voice previews with accounts at providers, against local servers with their protocols', () => {
  let sink: TestSink;
  let answer: (request: SinkRequest) => SinkAnswer | Promise<SinkAnswer>;
  const stops: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    sink = await testSink((request) => answer(request));
  });
  beforeEach(() => {
    answer = provider;
    sink.requests.length = 0;
  });
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });
  afterAll(() => sink?.close());

  /** The credentials of the organizations org_1 and org_2. */
  function kept(secret = 'own-key', baseUrl = `${sink.url}/v1`): KeptCredentials {
    const credentials = new KeptCredentials();
    for (const name of ['openai', 'openai_compatible'])
      for (const organizationId of ['org_1', 'org_2', 'org_3'])
        credentials.all.push({ id: `cred_${name}`, organizationId, provider: name, secret, baseUrl });
    return credentials;
  }

  /** Starts the service and returns a function that requests a preview. */
  function previews(given: Given) {
    const { catalogues, speakers, vetted } = partsOf(given);
    stops.push(() => vetted.close());
    return ({
      voice = ['openai', 'tts-1', 'alloy'],
      delivery = '',
      language = '',
      organizationId = 'org_1',
      credentialId = `cred_${voice[0]}`,
    }: Asked = {}) => {
      const [name, model, voice_id] = voice;
      const asked = { voice: { provider: name, model, voice_id }, text: 'Hello.', language, delivery };
      return synthesizePreview(
        catalogues.current,
        speakers,
        { ...asked, owner: organizationId, organizationId, credentialId },
        context,
      );
    };
  }

  it('return the provider’s audio, requested with the organization’s credential, as RIFF WAVE', async () => {
    const credentials = kept();
    const wav = await previews({ credentials })();
    expect(wav.toString('latin1', 0, 4)).toBe('RIFF');
    expect(wav.readUInt32LE(4)).toBe(wav.length - 8);
    expect([wav.readUInt16LE(20), wav.readUInt16LE(22), wav.readUInt32LE(24), wav.readUInt16LE(34)]).toEqual([
      1, 1, 16_000, 16,
    ]);
    const seconds = wav.readUInt32LE(40) / 2 / 16_000;
    expect(Math.abs(seconds - 0.5)).toBeLessThan(0.02);
    expect(credentials.opened).toEqual(['org_1 openai cred_openai preview']);
  });

  it.each<[string, [string, string, string], 'calm' | '', object]>([
    ['speed', ['openai', 'tts-1', 'alloy'], 'calm', { model: 'tts-1', voice: 'alloy', speed: 0.9 }],
    [
      'instructions',
      ['openai', 'gpt-4o-mini-tts', 'alloy'],
      'calm',
      {
        model: 'gpt-4o-mini-tts',
        voice: 'alloy',
        instructions: 'Speak calmly and warmly, slightly slower than usual.',
      },
    ],
    ['no control', ['openai', 'tts-1', 'alloy'], '', { model: 'tts-1', voice: 'alloy' }],
    [
      'a model of a self-hosted server',
      ['openai_compatible', 'kokoro', 'af_heart'],
      '',
      { model: 'kokoro', voice: 'af_heart' },
    ],
  ])('send the same request as a call, for delivery by %s', async (_title, voice, delivery, body) => {
    await previews({ credentials: kept() })({ voice, delivery, language: 'de' });
    expect(sink.requests.map(({ json }) => json)).toEqual([{ input: 'Hello.', response_format: 'pcm', ...body }]);
  });

  it('use a websocket if the provider does', async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    const asked: unknown[] = [];
    server.on('connection', (socket, request) => {
      asked.push(request.headers['xi-api-key']);
      socket.on('message', (data) => {
        const message = JSON.parse((data as Buffer).toString()) as { text: string };
        asked.push(message);
        if (message.text === '') socket.send(JSON.stringify({ audio: null, isFinal: true }));
        else if (message.text.trim() !== '') socket.send(JSON.stringify({ audio: pcm.toString('base64') }));
      });
    });
    await once(server, 'listening');
    stops.push(() => new Promise((resolve) => server.close(() => resolve())));
    const credentials = new KeptCredentials();
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    credentials.all.push({
      ...{ id: 'cred_elevenlabs', organizationId: 'org_1', provider: 'elevenlabs', secret: 'own-key', baseUrl },
    });
    const wav = await previews({ credentials })({ voice: ['elevenlabs', 'eleven_flash_v2_5', 'v'], delivery: 'calm' });
    expect(wav.readUInt32LE(40)).toBe(pcm.length);
    const settings = { stability: 0.75, similarity_boost: 0.75, style: 0, speed: 0.93 };
    expect(asked).toEqual(['own-key', { text: ' ', voice_settings: settings }, { text: 'Hello. ' }, { text: '' }]);
  });

  it('use the account of the installation without a credential of the provider, never one that is not named, and return 400 without either', async () => {
    const platform = new Map([['openai', { secret: 'own-key', baseUrl: `${sink.url}/v1` }]]);
    const credentials = kept('another-key');
    for (const credentialId of ['', 'cred_openai_compatible'])
      expect((await previews({ credentials, platform })({ credentialId })).length).toBeGreaterThan(44);
    expect(credentials.opened).toEqual(['org_1 openai cred_openai_compatible preview']);
    sink.requests.length = 0;
    await expect(previews({ credentials })({ credentialId: '' })).rejects.toMatchObject({ status: 400 });
    await expect(previews({})()).rejects.toMatchObject({ status: 400, code: 'BadRequestError' });
    const azure = ['azure', 'neural', 'v'] as [string, string, string];
    await expect(previews({ credentials: kept() })({ voice: azure })).rejects.toMatchObject({ status: 400 });
    expect(sink.requests).toEqual([]);
  });

  it('do not connect to a private address in a credential', async () => {
    const credentials = kept();
    const [first] = credentials.all;
    if (first !== undefined) credentials.all.push({ ...first, id: 'cred_elevenlabs', provider: 'elevenlabs' });
    const preview = previews({ credentials, local: false });
    const bySocket = ['elevenlabs', 'eleven_flash_v2_5', 'v'] as [string, string, string];
    for (const pending of [preview(), preview({ voice: bySocket })])
      await expect(pending).rejects.toMatchObject({ code: 'internal_error', status: 502 });
    expect(sink.requests).toEqual([]);
  });

  it.each<[string, SinkAnswer, object]>([
    ['rejects the account', { status: 401 }, { code: 'BadRequestError', status: 400 }],
    ['rejects the voice', { status: 404 }, { code: 'BadRequestError', status: 400 }],
    ['fails', { status: 503 }, { code: 'internal_error', status: 502 }],
    ['sends an empty response', { status: 200, body: '' }, { code: 'internal_error', status: 502 }],
    ['sends half a sample', { status: 200, body: 'abc' }, { code: 'internal_error', status: 502 }],
    [
      'sends an endless response',
      { status: 200, body: Buffer.alloc(6 * 1024 * 1024) },
      { code: 'internal_error', status: 502 },
    ],
    [
      'limits the rate of requests',
      { status: 429, headers: { 'retry-after': '7' } },
      { code: 'rate_limited', fields: { retry_after_seconds: 7 } },
    ],
  ])('report an error if the provider %s', async (_title, given, expected) => {
    answer = () => given;
    const thrown: unknown = await previews({ credentials: kept() })().catch((error: unknown) => error);
    expect(thrown).toMatchObject(expected);
    expect(JSON.stringify(thrown) + String(thrown)).not.toContain('own-key');
    expect(sink.requests).toHaveLength(1);
  });

  it('do not follow a redirect', async () => {
    const elsewhere = await testSink(() => ({ status: 200, body: pcm }));
    stops.push(() => elsewhere.close());
    answer = () => ({ status: 307, headers: { location: `${elsewhere.url}/v1/audio/speech` } });
    await expect(previews({ credentials: kept() })()).rejects.toBeDefined();
    expect(elsewhere.requests).toEqual([]);
  });

  it('return 502 if the provider is unreachable, and 504 if it takes too long', async () => {
    answer = () => new Promise(() => undefined);
    await expect(previews({ credentials: kept(), timeoutMs: 50 })()).rejects.toMatchObject({ status: 504 });
    const gone = await testSink();
    await gone.close();
    const credentials = kept('own-key', `${gone.url}/v1`);
    await expect(previews({ credentials })()).rejects.toMatchObject({ status: 502 });
  });

  it('an organization uses at most half of the slots, and the rest remain for others', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    answer = async (request) => {
      await held;
      return provider(request);
    };
    const preview = previews({ credentials: kept(), atOnce: 4 });
    const first = [preview(), preview()];
    await expect(preview()).rejects.toMatchObject({ code: 'rate_limited' });
    first.push(preview({ organizationId: 'org_2' }), preview({ organizationId: 'org_2' }));
    await expect(preview({ organizationId: 'org_3' })).rejects.toMatchObject({ code: 'rate_limited' });
    release();
    for (const audio of await Promise.all(first)) expect(audio.length).toBeGreaterThan(44);
    expect((await preview()).length).toBeGreaterThan(44);
  });
});
