import { componentCredentialKinds, engineComponents, optionsOf } from '@parley/contract';
import { createCatalogue, describeCatalogue } from './catalogue';
import { findModel, type Figures, type Provider } from '@parley/compilation';

const development = createCatalogue({ environment: 'development', platformManaged: [] });
const production = createCatalogue({ environment: 'production', platformManaged: [] });
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
    const again = createCatalogue({ environment: 'development', platformManaged: [] });
    expect(describeCatalogue(again)).toEqual(describeCatalogue(development));
    expect(describeCatalogue(production).version).not.toBe(describeCatalogue(development).version);
  });

  it('a provider is available for a kind of component if the engine has an adapter; of the engines only the cascade is', () => {
    const availableIn = (providers: readonly Provider<unknown>[]) =>
      providers.flatMap(({ provider, available }) => (available ? [provider] : []));
    expect(availableIn(development.transcribers)).toEqual(['simulator', 'deepgram', 'openai', 'openai_compatible']);
    expect(availableIn(development.models)).toEqual(['simulator', 'openai', 'openai_compatible', 'anthropic', 'azure']);
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

  it('an OpenAI-compatible server accepts any model in any language; other providers only their own', () => {
    for (const kind of ['transcribers', 'models', 'voices'] as const) {
      const of = (provider: string) =>
        findModel<{ model: string }>(development[kind], { provider, model: 'own-model' });
      expect(of('openai_compatible')?.entry).toMatchObject({ model: 'own-model', languages: null });
      expect(of('openai')).toBeUndefined();
    }
  });
});
