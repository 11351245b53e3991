import { testSink, type SinkAnswer, type SinkRequest, type TestSink } from '@parley/testing';
import { createCatalogue } from '../src/catalogue/catalogue';
import { HttpVoice } from '../src/previews/http-voice';
import { speech as openai } from '../src/providers/openai/speech';
import type { SpeechRequest } from '../src/providers';
import { synthesizersOf, type SpeechAccount } from '../src/previews/synthesizers';
import { synthesizePreview } from '../src/previews/synthesize-preview';

/** Half a second of a square wave: raw 16-bit samples, as providers answer. */
const pcm = Buffer.from(Int16Array.from({ length: 12_000 }, (_, index) => (index % 100 < 50 ? 8_000 : -8_000)).buffer);

/** Speaks ElevenLabs' and OpenAI's protocols strictly: what they would refuse is refused. */
function provider(request: SinkRequest): SinkAnswer {
  const path = new URL(request.url, 'http://provider').pathname;
  const fields = Object.keys(request.json as object).sort();
  const allowed = (...names: string[]) => fields.every((name) => names.includes(name));
  if (request.method !== 'POST' || request.headers['content-type'] !== 'application/json') return { status: 400 };
  if (path === '/v1/audio/speech') {
    if (request.headers.authorization !== 'Bearer openai-key') return { status: 401 };
    const ok = allowed('model', 'voice', 'input', 'response_format', 'instructions', 'speed');
    return ok ? { status: 200, body: pcm } : { status: 400 };
  }
  const voice = /^\/v1\/text-to-speech\/([^/]+)$/.exec(path)?.[1];
  if (request.headers['xi-api-key'] !== 'eleven-key') return { status: 401 };
  if (voice === undefined || voice === 'unknown') return { status: 404 };
  if (!request.url.endsWith('?output_format=pcm_24000')) return { status: 422 };
  return allowed('text', 'model_id', 'language_code', 'voice_settings') ? { status: 200, body: pcm } : { status: 422 };
}

const speech: SpeechRequest = {
  owner: 'org_1',
  model: 'tts-1',
  voiceId: 'alloy',
  text: 'Hello',
  language: '',
  delivery: undefined,
};
const catalogue = createCatalogue({ environment: 'development', platformManaged: ['elevenlabs', 'openai'] });
const offline = { synthesize: () => Promise.reject(new Error('not this one')) };

describe('voices of providers, against a local server that speaks their protocols', () => {
  let sink: TestSink;
  let answer: (request: SinkRequest) => SinkAnswer | Promise<SinkAnswer>;

  beforeAll(async () => {
    sink = await testSink((request) => answer(request));
  });
  beforeEach(() => {
    answer = provider;
    sink.requests.length = 0;
  });
  afterAll(() => sink?.close());

  const accounts =
    (elevenKey = 'eleven-key', openaiKey = 'openai-key') =>
    (name: string) => {
      const held: Readonly<Record<string, SpeechAccount>> = {
        elevenlabs: { apiKey: elevenKey, baseUrl: `${sink.url}/` },
        openai: { apiKey: openaiKey, baseUrl: sink.url },
      };
      return held[name] ?? { apiKey: undefined, baseUrl: undefined };
    };
  const preview = (voice: [string, string, string], delivery: 'calm' | 'lively' | '' = '', language = '') => {
    const [name, model, voice_id] = voice;
    const synthesizers = synthesizersOf(offline, ['elevenlabs', 'openai'], accounts());
    const request = { voice: { provider: name, model, voice_id }, text: 'Hello', language, delivery, owner: 'org_1' };
    return synthesizePreview(catalogue, synthesizers, request);
  };
  const single = (options: { timeoutMs?: number; atOnce?: number; apiKey?: string } = {}) =>
    new HttpVoice({
      protocol: openai,
      apiKey: 'openai-key',
      baseUrl: sink.url,
      timeoutMs: 60_000,
      atOnce: 8,
      ...options,
    });

  it('4 POST /v1/voice-previews: the samples of the provider, as RIFF WAVE', async () => {
    const wav = await preview(['openai', 'tts-1', 'alloy']);
    expect(wav.toString('latin1', 0, 4)).toBe('RIFF');
    expect(wav.readUInt32LE(4)).toBe(wav.length - 8);
    expect([wav.readUInt16LE(20), wav.readUInt16LE(22), wav.readUInt32LE(24), wav.readUInt16LE(34)]).toEqual([
      1, 1, 24_000, 16,
    ]);
    expect(wav.readUInt32LE(40)).toBe(pcm.length);
    expect(wav.subarray(44).equals(pcm)).toBe(true);
  });

  it.each<[string, [string, string, string], 'calm' | '', string, object]>([
    [
      'voice settings',
      ['elevenlabs', 'eleven_flash_v2_5', 'v/1'],
      'calm',
      'de-AT',
      {
        text: 'Hello',
        model_id: 'eleven_flash_v2_5',
        language_code: 'de',
        voice_settings: { stability: 0.75, similarity_boost: 0.75, style: 0, speed: 0.93 },
      },
    ],
    [
      'no language where the model takes none',
      ['elevenlabs', 'eleven_multilingual_v2', 'v/1'],
      '',
      'de',
      { text: 'Hello', model_id: 'eleven_multilingual_v2' },
    ],
    [
      'a speed',
      ['openai', 'tts-1', 'alloy'],
      'calm',
      'de',
      { input: 'Hello', model: 'tts-1', voice: 'alloy', response_format: 'pcm', speed: 0.9 },
    ],
    [
      'an instruction',
      ['openai', 'gpt-4o-mini-tts', 'alloy'],
      'calm',
      '',
      {
        input: 'Hello',
        model: 'gpt-4o-mini-tts',
        voice: 'alloy',
        response_format: 'pcm',
        instructions: 'Speak calmly and warmly, slightly slower than usual.',
      },
    ],
  ])(
    '4 POST /v1/voice-previews delivery: sends a provider what a call would send it: %s',
    async (_title, voice, delivery, language, body) => {
      await preview(voice, delivery, language);
      expect(sink.requests.map(({ json }) => json)).toEqual([body]);
      if (voice[0] === 'elevenlabs') expect(sink.requests[0]?.url).toContain('/v1/text-to-speech/v%2F1?');
    },
  );

  it.each<[string, readonly string[], string]>([
    ['is not platform-managed', ['elevenlabs'], 'openai-key'],
    ['has no key', ['elevenlabs', 'openai'], ''],
  ])('a provider that %s cannot be heard: 400, and nothing is sent', async (_title, managed, key) => {
    const synthesizers = synthesizersOf(offline, managed, accounts('eleven-key', key));
    expect([...synthesizers.keys()]).toEqual(['simulator', 'elevenlabs']);
    const voice = { provider: 'openai', model: 'tts-1', voice_id: 'alloy' };
    const pending = synthesizePreview(catalogue, synthesizers, {
      owner: 'org_1',
      voice,
      text: 'Hello',
      language: '',
      delivery: '',
    });
    await expect(pending).rejects.toMatchObject({ status: 400, code: 'BadRequestError' });
    expect(sink.requests).toEqual([]);
  });

  it('a voice that the provider does not know is 400', async () => {
    const pending = preview(['elevenlabs', 'eleven_flash_v2_5', 'unknown']);
    await expect(pending).rejects.toMatchObject({ status: 400, code: 'BadRequestError' });
  });

  it.each<[string, SinkAnswer, object]>([
    ['refuses the account', { status: 401 }, { code: 'internal_error', status: 502 }],
    ['fails', { status: 503 }, { code: 'internal_error', status: 502 }],
    ['redirects', { status: 302, headers: { location: '/elsewhere' } }, { code: 'internal_error', status: 502 }],
    ['answers nothing', { status: 200, body: '' }, { code: 'internal_error', status: 502 }],
    ['answers half a sample', { status: 200, body: 'abc' }, { code: 'internal_error', status: 502 }],
    [
      'answers without end',
      { status: 200, body: Buffer.alloc(6 * 1024 * 1024) },
      { code: 'internal_error', status: 502 },
    ],
    [
      'is asked too often',
      { status: 429, headers: { 'retry-after': '7' } },
      { code: 'rate_limited', fields: { retry_after_seconds: 7 } },
    ],
  ])('a provider that %s', async (_title, given, expected) => {
    answer = () => given;
    const fault: unknown = await single()
      .synthesize(speech)
      .catch((error: unknown) => error);
    expect(fault).toMatchObject(expected);
    expect(JSON.stringify(fault) + String(fault)).not.toContain('openai-key');
    expect(sink.requests).toHaveLength(1);
  });

  it('a provider that is not there is 502, one that takes too long 504', async () => {
    answer = () => new Promise(() => undefined);
    await expect(single({ timeoutMs: 50 }).synthesize(speech)).rejects.toMatchObject({ status: 504 });
    const gone = await testSink();
    await gone.close();
    const voice = new HttpVoice({ protocol: openai, apiKey: 'k', baseUrl: gone.url, timeoutMs: 60_000, atOnce: 1 });
    await expect(voice.synthesize(speech)).rejects.toMatchObject({ status: 502 });
  });

  it('keeps half of the places for other organizations than the one that floods it', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    answer = async (request) => {
      await held;
      return provider(request);
    };
    const voice = single({ atOnce: 4 });
    const first = [voice.synthesize(speech), voice.synthesize(speech)];
    await expect(voice.synthesize(speech)).rejects.toMatchObject({ code: 'rate_limited' });
    const other = { ...speech, owner: 'org_2' };
    first.push(voice.synthesize(other), voice.synthesize(other));
    await expect(voice.synthesize({ ...speech, owner: 'org_3' })).rejects.toMatchObject({ code: 'rate_limited' });
    release();
    for (const audio of await Promise.all(first)) expect(audio.length).toBe(44 + pcm.length);
  });

  it('4 POST /v1/voice-previews: beyond what may be under way it is 429, and then it goes on', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    answer = async (request) => {
      await held;
      return provider(request);
    };
    const voice = single({ atOnce: 1 });
    const first = voice.synthesize(speech);
    await expect(voice.synthesize(speech)).rejects.toMatchObject({ code: 'rate_limited' });
    release();
    expect((await first).length).toBe(44 + pcm.length);
    expect((await voice.synthesize(speech)).length).toBe(44 + pcm.length);
  });
});
