import { componentCredentialKinds, deepgramNova3, engineComponents, optionsOf } from '@parley/contract';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Catalogues } from './catalogue';
import { findModel, type Figures, type Provider } from '@parley/compilation';

const inDevelopment = new Catalogues({ environment: 'development', platformManaged: [] });
const inProduction = new Catalogues({ environment: 'production', platformManaged: [] });
const [development, production] = [inDevelopment.current, inProduction.current];
const providersOf = (providers: readonly Provider<unknown>[]) => providers.map(({ provider }) => provider);

describe('the provider catalogue (docs/reference/voice-stack.md)', () => {
  it('each engine declares whether it has languages', () => {
    const axes = Object.entries(development.conversation_engines).map(([engine, facts]) => [
      engine,
      facts.has_language_axis,
    ]);
    expect(Object.fromEntries(axes)).toEqual({ cascade: true, engine_a_live: false, engine_b_live: false });
  });

  it('contains the required providers', () => {
    const all = new Set([
      ...providersOf(development.transcribers),
      ...providersOf(development.models),
      ...providersOf(development.voices),
    ]);
    expect([...all]).toEqual(
      expect.arrayContaining([
        'anthropic',
        'assemblyai',
        'azure',
        'cartesia',
        'deepgram',
        'elevenlabs',
        'google',
        'openai',
        'simulator',
      ]),
    );
  });

  it('contains simulator components for 40 languages and for English only, without accounts', () => {
    for (const providers of [development.transcribers, development.voices]) {
      const simulator = (providers as readonly Provider<{ languages: readonly string[] }>[]).find(
        ({ provider }) => provider === 'simulator',
      );
      const sets = simulator?.models.map(({ languages }) => new Set(languages).size);
      expect(simulator?.requires_account).toBe(false);
      expect(sets).toEqual(expect.arrayContaining([40, 1]));
    }
  });

  it.each([
    ['development', development],
    ['production', production],
  ])('contains its own defaults in %s', (_name, catalogue) => {
    const { transcriber, model, voice } = catalogue.defaults;
    expect(findModel(catalogue.transcribers, transcriber)).toBeDefined();
    expect(findModel(catalogue.models, model)).toBeDefined();
    expect(findModel(catalogue.voices, voice)).toBeDefined();
  });

  it('contains no duplicate provider, model or language, and only valid costs and latencies', () => {
    for (const providers of [development.transcribers, development.voices, development.models]) {
      expect(new Set(providersOf(providers)).size).toBe(providers.length);
      for (const { models } of providers) {
        expect(new Set(models.map(({ model }) => model)).size).toBe(models.length);
        for (const { languages, cost_micros_per_minute: cost, latency_ms: latency } of models) {
          expect(new Set(languages ?? []).size).toBe((languages ?? []).length);
          expect([Number.isInteger(cost) && cost >= 0, Number.isInteger(latency) && latency > 0]).toEqual([true, true]);
        }
      }
    }
  });

  it('marks every cost and latency that the provider does not publish as estimated', () => {
    const entries = [development.transcribers, development.models, development.voices].flatMap((providers) =>
      (providers as readonly Provider<Figures & { model: string }>[]).flatMap(({ provider, models }) =>
        models.map((entry) => ({ name: `${provider}/${entry.model}`, ...entry })),
      ),
    );
    const stated = (figure: 'cost_micros_per_minute' | 'latency_ms') =>
      entries
        .filter(
          (entry) => entry[figure] > 0 && !entry.estimated.includes(figure) && !entry.name.startsWith('simulator/'),
        )
        .map(({ name }) => name);
    // The models whose price per hour or minute of audio, or whose latency, is stated on the provider's own pages. For a model added to the catalogue these
    // values are estimates until they are compared with those pages and the model is listed here.
    expect(stated('cost_micros_per_minute')).toEqual([
      'deepgram/nova-3',
      'assemblyai/universal-streaming',
      'assemblyai/universal-streaming-multilingual',
      'azure/realtime',
      'google/chirp_3',
    ]);
    expect(stated('latency_ms')).toEqual([
      'assemblyai/universal-streaming',
      'assemblyai/universal-streaming-multilingual',
      'elevenlabs/eleven_flash_v2_5',
      'elevenlabs/eleven_turbo_v2_5',
      'cartesia/sonic-3',
      'cartesia/sonic-2',
    ]);
    const { cascade, ...live } = development.conversation_engines;
    expect(cascade.estimated).toEqual([]);
    for (const { estimated } of Object.values(live))
      expect(estimated).toEqual(['cost_micros_per_minute', 'latency_ms']);
  });

  it('every component has a price, also the simulator’s, so that balance limits apply in development', () => {
    for (const providers of [development.transcribers, development.voices, development.models]) {
      for (const { models } of providers as readonly Provider<Figures>[]) {
        for (const { cost_micros_per_minute: cost } of models) expect(cost).toBeGreaterThan(0);
      }
    }
  });

  it('no candidate limit exceeds the 32 languages of a publication (docs/reference/voice-stack.md#languages)', () => {
    const limits = development.transcribers.flatMap(({ models }) => models.map((model) => model.candidate_limit));
    expect(limits.every((limit) => limit >= 1 && limit <= 32)).toBe(true);
  });

  it('equal data gives the same version, other data another', () => {
    const again = new Catalogues({ environment: 'development', platformManaged: [] });
    expect(again.described).toEqual(inDevelopment.described);
    expect(inProduction.described.version).not.toBe(inDevelopment.described.version);
  });

  it('a provider is available for a kind of component if the engine has an adapter; of the engines only the cascade is', () => {
    const availableIn = (providers: readonly Provider<unknown>[]) =>
      providers.flatMap(({ provider, available }) => (available ? [provider] : []));
    expect(availableIn(development.transcribers)).toEqual(['simulator', 'deepgram', 'openai', 'openai_compatible']);
    const compatible = ['google', 'groq', 'mistral', 'openrouter', 'bedrock', 'vllm', 'ollama'];
    const own = ['simulator', 'openai', 'openai_compatible', 'anthropic', 'azure'];
    expect(availableIn(development.models)).toEqual([...own, ...compatible]);
    expect(availableIn(development.voices)).toEqual([
      'simulator',
      'openai',
      'openai_compatible',
      'elevenlabs',
      'cartesia',
    ]);
    const engines = Object.entries(development.conversation_engines).filter(([, { available }]) => available);
    expect(engines.map(([engine]) => engine)).toEqual(['cascade']);
  });

  it('every component with an adapter is listed, with the options that the adapter accepts', () => {
    const listed = { stt: development.transcribers, llm: development.models, tts: development.voices };
    for (const [provider, components] of Object.entries(engineComponents))
      for (const kind of componentCredentialKinds) {
        if (components[kind] === undefined) continue;
        const found = (listed[kind] as readonly Provider<Figures & { model: string }>[]).find(
          (one) => one.provider === provider,
        );
        expect([provider, kind, found?.models.length ?? 0]).not.toEqual([provider, kind, 0]);
        for (const { model, options = {} } of found?.models ?? [])
          expect([provider, model, options]).toEqual([provider, model, optionsOf(kind, provider, model)]);
      }
    expect(
      findModel(development.transcribers, { provider: 'deepgram', model: 'flux-general-en' })?.entry.options,
    ).toHaveProperty('eot_threshold');
  });

  it('an unlisted model is found where an adapter exists, and counts as listed where the server defines the models', () => {
    for (const kind of ['transcribers', 'models', 'voices'] as const) {
      const of = (provider: string) =>
        findModel<{ model: string }>(development[kind], { provider, model: 'own-model' });
      expect(of('openai_compatible')).toMatchObject({ listed: true, entry: { model: 'own-model', languages: null } });
      expect(of('openai')).toMatchObject({ listed: false, entry: { model: 'own-model', unknown: true } });
      expect(of('simulator')).toBeUndefined();
    }
    expect(findModel(development.transcribers, { provider: 'assemblyai', model: 'x' })).toBeUndefined();
  });

  it('the languages of Nova-3 are the codes that its adapter sends', () => {
    expect(findModel(development.transcribers, { provider: 'deepgram', model: 'nova-3' })?.entry.languages).toEqual(
      deepgramNova3,
    );
  });
});

describe("the operator's folder", () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'parley-catalogue-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const put = (name: string, file: unknown) =>
    writeFileSync(path.join(folder, name), typeof file === 'string' ? file : JSON.stringify(file));
  const transcribers = (models: object[]) => ({ provider: 'deepgram', transcribers: { models } });
  const changed = async (): Promise<Catalogues> => {
    const catalogues = new Catalogues({ environment: 'development', platformManaged: [] });
    await catalogues.read(folder);
    return catalogues;
  };
  const nova = { languages: 'en de', fast_words: true, candidate_limit: 2, latency_ms: 250 };

  it('adds, reprices and hides models, and hides vendors; everything else stays', async () => {
    const added = { model: 'nova-9', price: { per: 'minute', usd: 0.01 }, ...nova };
    const repriced = { model: 'nova-3', micros_per_minute: 4_000 };
    put('1.json', transcribers([added, repriced, { model: 'flux-general-en', hidden: true }]));
    put('2.json', { provider: 'anthropic', hidden: true });
    put('notes.txt', 'no file of the catalogue');
    const { current, described } = await changed();
    const own = current.transcribers.find(({ provider }) => provider === 'deepgram');
    expect(own?.models).toMatchObject([
      { model: 'nova-3', cost_micros_per_minute: 4_000, estimated: ['latency_ms'], languages: deepgramNova3 },
      { model: 'nova-9', cost_micros_per_minute: 10_000, languages: ['en', 'de'], candidate_limit: 2 },
    ]);
    expect(providersOf(current.models)).toEqual(providersOf(development.models).filter((name) => name !== 'anthropic'));
    expect(current.voices).toEqual(development.voices);
    expect(described.version).not.toBe(inDevelopment.described.version);
  });

  it.each<[string, unknown]>([
    ['no JSON', '{'],
    ['a list', []],
    ['no provider', { transcribers: { models: [] } }],
    ['a vendor without an adapter', { provider: 'playht', requires_account: true }],
    ['an unknown name', transcribers([{ model: 'nova-3', prise: 1 }])],
    ['a new model without its languages', transcribers([{ model: 'nova-9', micros_per_minute: 1, latency_ms: 1 }])],
    ['a new model without a price', transcribers([{ model: 'nova-9', ...nova }])],
    ['a negative price', transcribers([{ model: 'nova-3', micros_per_minute: -1 }])],
    ['more than 32 candidates', transcribers([{ model: 'nova-3', candidate_limit: 33 }])],
    ['models that are no list of objects', { provider: 'deepgram', transcribers: { models: ['nova-9'] } }],
    ['more than a mebibyte', { provider: 'deepgram', requires_account: true, x: 'x'.repeat(1024 * 1024) }],
  ])('a file with %s changes nothing and is named', async (_title, file) => {
    put('good.json', { provider: 'anthropic', hidden: true });
    const catalogues = await changed();
    const before = catalogues.described;
    put('bad.json', file);
    await expect(catalogues.read(folder)).rejects.toThrow(/^bad\.json: /);
    expect(catalogues.described).toBe(before);
  });
});
