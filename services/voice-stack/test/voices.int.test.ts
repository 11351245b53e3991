import { routes, type Voice } from '@parley/contract';
import { VoiceStackServiceService, type VoiceStackServiceServer } from '@parley/proto/voice_stack';
import { documentOf, jsonOf, newId, serviceCaller } from '@parley/runtime';
import {
  customerCaller,
  grpcClient,
  inProcessGrpc,
  publicClient,
  requestPublic,
  testSink,
  type SinkAnswer,
  type SinkRequest,
  type TestSink,
} from '@parley/testing';
import { voiceStackPublicService } from '../src/handlers';
import { voiceStackService } from '../src/voice-stack-service';
import { KeptCredentials, partsOf } from './parts';

interface Listed {
  readonly data: Voice[];
  readonly next_cursor: string | null;
}

/** A simulated provider with 130 voices in pages of 100, and one that is not in the list. */
function elevenlabs({ url, headers }: SinkRequest): SinkAnswer {
  if (headers['xi-api-key'] !== 'own-key') return { status: 401 };
  const { pathname, searchParams } = new URL(url, 'http://provider');
  if (pathname === '/v1/voices/hidden') return { status: 200, body: '{"voice_id":"hidden"}' };
  if (pathname.startsWith('/v1/voices/')) return { status: 400, body: '{"detail":{"status":"voice_not_found"}}' };
  if (pathname !== '/v2/voices' || searchParams.get('page_size') !== '100') return { status: 404 };
  const from = searchParams.get('next_page_token') === 'p2' ? 100 : 0;
  const voices = Array.from({ length: from === 0 ? 100 : 30 }, (_, n) => ({
    voice_id: `v${String(from + n).padStart(3, '0')}`,
    name: `Voice ${from + n}`,
    labels: { gender: 'female' },
    preview_url: 'https://example.com/v.mp3',
  }));
  const more = from === 0;
  return { status: 200, body: JSON.stringify({ voices, has_more: more, next_page_token: more ? 'p2' : null }) };
}

describe('voices', () => {
  let sink: TestSink;
  let answer: (request: SinkRequest) => SinkAnswer | Promise<SinkAnswer>;
  let now = 0;
  const credentials = new KeptCredentials();
  const parts = partsOf({ credentials, now: () => now });
  let server: Awaited<ReturnType<typeof inProcessGrpc>>;
  let client: ReturnType<typeof grpcClient<VoiceStackServiceServer>>;
  let publicRoutes: ReturnType<typeof publicClient>;
  let organizationId = '';

  beforeAll(async () => {
    sink = await testSink((request) => answer(request));
    server = await inProcessGrpc([
      voiceStackService(parts),
      voiceStackPublicService(parts.catalogues, parts.inventories),
    ]);
    publicRoutes = publicClient(server.address);
    client = grpcClient<VoiceStackServiceServer>(VoiceStackServiceService, server.address);
  });
  beforeEach(() => {
    answer = elevenlabs;
    sink.requests.length = 0;
    credentials.opened.length = 0;
    organizationId = newId('org');
    keep('elevenlabs');
  });
  afterAll(async () => {
    client.close();
    publicRoutes.close();
    await server.stop();
    await parts.vetted.close();
    await sink.close();
  });

  function keep(provider: string, secret = 'own-key', id = `cred_${provider}`): void {
    credentials.all.push({ id, organizationId, provider, secret, baseUrl: sink.url });
  }

  /** Names the credential of the provider, as the organization has one. */
  const list = async ({
    provider,
    ...query
  }: {
    readonly provider?: string;
    readonly [name: string]: unknown;
  }): Promise<Listed> => {
    const owned = credentials.all.some((one) => one.organizationId === organizationId && one.provider === provider);
    return listWith({ provider, ...(owned && { component_credential_id: `cred_${provider}` }), ...query });
  };

  const listWith = async (query: object): Promise<Listed> => {
    const { text } = await requestPublic(publicRoutes, routes.listVoices, {
      caller: customerCaller(organizationId),
      query: { ...query },
    });
    return JSON.parse(text) as Listed;
  };

  describe('GET /v1/voices', () => {
    it('lists the voices of the organization’s account in pages, and requests them at most once a minute', async () => {
      const first = await list({ provider: 'elevenlabs', limit: 100 });
      expect(first.data).toHaveLength(100);
      expect(first.data[0]).toEqual({
        voice_id: 'v000',
        provider: 'elevenlabs',
        model: 'eleven_flash_v2_5',
        name: 'Voice 0',
        languages: expect.arrayContaining(['de', 'en']) as string[],
        gender: 'female',
        preview_url: 'https://example.com/v.mp3',
      });
      const rest = await list({ provider: 'elevenlabs', limit: 100, cursor: first.next_cursor });
      expect([rest.data.map(({ voice_id }) => voice_id).at(-1), rest.data.length, rest.next_cursor]).toEqual([
        'v129',
        30,
        null,
      ]);
      expect([sink.requests.length, credentials.opened]).toEqual([
        2,
        [`${organizationId} elevenlabs cred_elevenlabs voices`],
      ]);
      now += 60_000;
      await list({ provider: 'elevenlabs' });
      expect(sink.requests).toHaveLength(4);
    });

    it.each([
      ['another organization’s', 'elevenlabs', 'cred_elevenlabs', true],
      ['another provider’s', 'elevenlabs', 'cred_cartesia', false],
      ['that it does not name', 'elevenlabs', undefined, false],
    ])('does not use the credential %s: 400 with its path', async (_, provider, component_credential_id, foreign) => {
      keep('cartesia');
      if (foreign) organizationId = newId('org');
      await expect(listWith({ provider, component_credential_id })).rejects.toMatchObject({
        status: 400,
        code: 'BadRequestError',
        fields: { errors: [{ path: 'component_credential_id' }] },
      });
      expect(sink.requests).toEqual([]);
    });

    it('filters by the language of the voice, or else by those of the model', async () => {
      keep('cartesia');
      answer = ({ url }) => {
        const second = url.includes('starting_after=b');
        const data = second
          ? [{ id: 'c', name: 'C', language: 'fr', gender: 'masculine' }]
          : [
              { id: 'a', name: 'A', language: 'de', gender: 'feminine' },
              { id: 'b', name: 'B', language: 'en' },
            ];
        return { status: 200, body: JSON.stringify({ data, has_more: !second }) };
      };
      const of = async (language: string) =>
        (await list({ provider: 'cartesia', language })).data.map(({ voice_id, gender }) => [voice_id, gender]);
      expect(await of('de-AT')).toEqual([['a', 'female']]);
      expect(await of('fr')).toEqual([['c', 'male']]);
      expect(await of('el')).toEqual([]);
    });

    it('lists the voices of the catalogue for a provider without an inventory, without a request', async () => {
      const { data } = await list({ provider: 'simulator', language: 'ja' });
      expect(data.map(({ voice_id, model }) => [voice_id, model])).toEqual([['sim-anna', 'sim-speak-40']]);
      const ofOpenAi = (await list({ provider: 'openai', limit: 100 })).data;
      expect(ofOpenAi).toContainEqual(expect.objectContaining({ voice_id: 'marin', model: 'gpt-4o-mini-tts' }));
      expect(ofOpenAi).not.toContainEqual(expect.objectContaining({ voice_id: 'marin', model: 'tts-1' }));
      const all = (await list({ limit: 100 })).data;
      expect(new Set(all.map(({ provider }) => provider))).toEqual(new Set(['simulator', 'openai']));
      expect([sink.requests, credentials.opened]).toEqual([[], []]);
    });

    it('lists the voices of an OpenAI-compatible server, or none if it has no list', async () => {
      keep('openai_compatible');
      answer = ({ url }) =>
        url === '/audio/voices' ? { status: 200, body: '{"voices":["af_heart",{"id":"am_adam"}]}' } : { status: 404 };
      const ids = async () => (await list({ provider: 'openai_compatible' })).data.map(({ voice_id }) => voice_id);
      expect(await ids()).toEqual(['af_heart', 'am_adam']);
      now += 60_000;
      answer = () => ({ status: 404 });
      expect(await ids()).toEqual([]);
    });

    it.each<[string, Record<string, unknown>]>([
      ['a provider that is not in the catalogue', { provider: 'unknown' }],
      ['a provider without voices', { provider: 'anthropic' }],
      ['a cursor that the API did not issue', { provider: 'elevenlabs', cursor: 'x' }],
    ])('returns 400 for %s', async (_, query) => {
      await expect(list(query)).rejects.toMatchObject({ status: 400, code: 'BadRequestError' });
    });

    it.each<[string, SinkAnswer, object]>([
      ['rejects the credential', { status: 401 }, { status: 400, code: 'BadRequestError' }],
      ['fails', { status: 500 }, { status: 502, code: 'internal_error' }],
      ['sends no list', { status: 200, body: '{}' }, { status: 502, code: 'internal_error' }],
      ['sends no JSON', { status: 200, body: '<html>' }, { status: 502, code: 'internal_error' }],
      ['sends an endless response', { status: 200, body: Buffer.alloc(5 * 1024 * 1024) }, { status: 502 }],
      ['redirects', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, { status: 502 }],
      [
        'limits the rate of requests',
        { status: 429, headers: { 'retry-after': '9' } },
        { code: 'rate_limited', fields: { retry_after_seconds: 9 } },
      ],
    ])('returns an error if the provider %s', async (_, given, expected) => {
      answer = () => given;
      const error: unknown = await list({ provider: 'elevenlabs' }).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject(expected);
      expect(JSON.stringify(error)).not.toContain('own-key');
      // After an error the provider receives no request for five seconds.
      await expect(list({ provider: 'elevenlabs' })).rejects.toBeDefined();
      expect(sink.requests).toHaveLength(1);
      now += 5_000;
      answer = elevenlabs;
      expect((await list({ provider: 'elevenlabs' })).data.length).toBeGreaterThan(0);
    });
  });

  describe('voices when a publication is compiled', () => {
    const compile = async (voice: string, bindings: object, profileVoice?: string, fallback?: string) => {
      const of = (voice_id: string) => ({ provider: 'elevenlabs', model: 'eleven_flash_v2_5', voice_id });
      const answered = await client.compile(
        {
          organizationId,
          store: false,
          configuration: documentOf('VoiceStackConfiguration', {
            organization_id: organizationId,
            mode: 'hosted',
            voice_frontend: 'cascade',
            language: 'en',
            languages: ['en', 'de'],
            language_profiles: profileVoice === undefined ? [] : [{ locale: 'de', voice: of(profileVoice) }],
            follow_caller: null,
            system_prompt: null,
            first_message: null,
            transcriber: null,
            model: null,
            voice: { ...of(voice), ...(fallback !== undefined && { fallbacks: [of(fallback)] }) },
            tools: [],
            translation: null,
            component_credential_bindings: bindings,
            component_credential_providers: { tts: 'elevenlabs' },
          }),
        },
        { requestId: 'test', caller: serviceCaller },
      );
      const { warnings, selectable } = jsonOf<{ warnings: string[]; selectable: boolean }>(answered.projection);
      const codes = warnings.map((text) => text.split(':')[0]);
      return { blockers: answered.blockers.map(({ code, scope }) => [code, scope]), codes, selectable };
    };
    const bound = { tts: 'cred_elevenlabs' };

    it('are accepted if the account has them, even if its list does not contain them', async () => {
      expect(await compile('v001', bound, 'hidden')).toEqual({ blockers: [], codes: [], selectable: true });
    });

    it('voice_unknown is a blocker, with its place, if the account does not have the voice', async () => {
      expect(await compile('absent', bound)).toEqual({
        blockers: [['voice_unknown', 'voice']],
        codes: ['voice_unknown'],
        selectable: false,
      });
      expect((await compile('v001', bound, 'absent')).blockers).toEqual([['voice_unknown', 'language:de']]);
      expect((await compile('v001', bound, undefined, 'absent')).blockers).toEqual([['voice_unknown', 'voice']]);
    });

    it('voice_unchecked is a warning if the provider fails', async () => {
      answer = () => ({ status: 503 });
      expect(await compile('absent', bound)).toEqual({ blockers: [], codes: ['voice_unchecked'], selectable: true });
    });

    it('are not requested if there are other blockers', async () => {
      expect((await compile('absent', {})).blockers).toEqual([['credential_missing', 'credential:tts']]);
      expect(sink.requests).toEqual([]);
    });
  });
});
