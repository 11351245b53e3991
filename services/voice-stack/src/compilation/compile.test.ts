import type { VoiceStackConfiguration } from '@parley/contract';
import { Catalogues } from '../catalogue';
import { compile, type Catalogue } from '@parley/compilation';

const catalogue = new Catalogues({ environment: 'development', platformManaged: [] }).current;
const managed = new Catalogues({ environment: 'development', platformManaged: ['azure', 'deepgram'] }).current;

/** An agent without any selection. */
const bare: VoiceStackConfiguration = {
  organization_id: 'org_1',
  mode: 'hosted',
  voice_frontend: 'cascade',
  language: 'en',
  languages: null,
  language_profiles: [],
  follow_caller: null,
  system_prompt: null,
  first_message: null,
  transcriber: null,
  model: null,
  voice: null,
  tools: [],
  translation: null,
  component_credential_bindings: {},
};

const configuration = (change: Partial<VoiceStackConfiguration>): VoiceStackConfiguration => ({ ...bare, ...change });
const blockersOf = (change: Partial<VoiceStackConfiguration>, using: Catalogue = catalogue) =>
  compile(configuration(change), using).blockers.map(({ code, scope }) => [code, scope]);

const listen = { provider: 'simulator', model: 'sim-listen-40' };
const english = { provider: 'simulator', model: 'sim-listen-en' };
const european = { provider: 'simulator', model: 'sim-speak-european' };
const deepgram = { provider: 'deepgram', model: 'nova-3' };
const elevenlabs = { provider: 'elevenlabs', model: 'eleven_flash_v2_5' };
const spoken = { ...elevenlabs, voice_id: 'v' };
const google = { provider: 'google', model: 'chirp_3' };
const bound = { stt: 'cred_1', llm: 'cred_2', tts: 'cred_3' };

describe('blockers (docs/reference/voice-stack.md)', () => {
  it.each<[string, Partial<VoiceStackConfiguration>, [string, string][]]>([
    ['none for the defaults in development', {}, []],
    ['several languages that the components support', { languages: ['en', 'de-AT', 'zh'] }, []],
    [
      'an unknown provider',
      { transcriber: { provider: 'unknown', model: 'x' } },
      [['provider_unknown', 'transcriber']],
    ],
    ['an unknown model', { model: { provider: 'simulator', model: 'x' } }, [['model_not_in_catalogue', 'model']]],
    [
      'an unknown voice',
      { voice: { provider: 'unknown', model: 'x', voice_id: 'y' } },
      [['provider_unknown', 'voice']],
    ],
    [
      'a voice without an id, before the missing credential',
      { voice: elevenlabs },
      [
        ['voice_id_missing', 'voice'],
        ['credential_missing', 'credential:tts'],
      ],
    ],
    [
      'a voice with an id and a credential',
      { voice: { ...elevenlabs, voice_id: 'v' }, component_credential_bindings: bound },
      [],
    ],
    [
      'an unlisted model on a credential of the organization',
      { transcriber: { provider: 'deepgram', model: 'nova-9' }, component_credential_bindings: bound },
      [],
    ],
    [
      'an unlisted model without a credential',
      { transcriber: { provider: 'deepgram', model: 'nova-9' } },
      [['credential_missing', 'credential:stt']],
    ],
    ['a real transcriber without a credential', { transcriber: deepgram }, [['credential_missing', 'credential:stt']]],
    [
      "a credential of the voice's provider",
      { voice: spoken, component_credential_bindings: bound, component_credential_providers: { tts: 'elevenlabs' } },
      [],
    ],
    [
      'a credential of another provider',
      { voice: spoken, component_credential_bindings: bound, component_credential_providers: { tts: 'cartesia' } },
      [['credential_missing', 'credential:tts']],
    ],
    [
      'a bound credential that was deleted',
      { voice: spoken, component_credential_bindings: bound, component_credential_providers: {} },
      [['credential_missing', 'credential:tts']],
    ],
    [
      "a language whose voice is not of the credential's provider",
      {
        languages: ['en', 'de'],
        voice: spoken,
        language_profiles: [{ locale: 'de', voice: { provider: 'cartesia', model: 'sonic-3', voice_id: 'v' } }],
        component_credential_bindings: bound,
        component_credential_providers: { tts: 'elevenlabs' },
      },
      [['credential_missing', 'credential:tts']],
    ],
    [
      "a language whose transcriber is not of the credential's provider",
      {
        languages: ['en', 'de'],
        transcriber: deepgram,
        language_profiles: [{ locale: 'de', transcriber: google }],
        component_credential_bindings: bound,
        component_credential_providers: { stt: 'deepgram' },
      },
      [['credential_missing', 'credential:stt']],
    ],
    [
      'a language whose voice and transcriber use standby credentials',
      {
        languages: ['en', 'de'],
        transcriber: deepgram,
        voice: spoken,
        language_profiles: [
          { locale: 'de', transcriber: google, voice: { provider: 'cartesia', model: 'sonic-3', voice_id: 'v' } },
        ],
        component_credential_bindings: bound,
        component_credential_providers: { tts: 'elevenlabs' },
        component_credential_standby: { tts: { cartesia: 'cred_2' }, stt: { deepgram: 'cred_3', google: 'cred_4' } },
      },
      [],
    ],
    [
      'a standby credential of another kind',
      { transcriber: deepgram, component_credential_standby: { tts: { deepgram: 'cred_2' } } },
      [['credential_missing', 'credential:stt']],
    ],
    ['a language that nothing supports', { languages: ['en', 'tlh'] }, [['language_not_supported', 'language:tlh']]],
    [
      'a language that the transcriber lacks',
      { languages: ['en', 'de'], transcriber: english },
      [['language_not_supported', 'language:de']],
    ],
    [
      'a profile with its own transcriber',
      {
        languages: ['en', 'de'],
        transcriber: english,
        language_profiles: [{ locale: 'DE', transcriber: { provider: 'simulator', model: 'sim-listen-40' } }],
      },
      [],
    ],
    [
      'a profile with an unknown voice',
      {
        languages: ['en', 'de'],
        language_profiles: [{ locale: 'de', voice: { provider: 'unknown', model: 'x', voice_id: 'y' } }],
      },
      [['provider_unknown', 'language:de']],
    ],
    [
      'none for profiles of languages that are not selected',
      { languages: ['en'], language_profiles: [{ locale: 'de', transcriber: { provider: 'unknown', model: 'x' } }] },
      [],
    ],
    [
      'follow_caller with a transcriber of both languages',
      { languages: ['en', 'de'], follow_caller: { enabled: true } },
      [],
    ],
    [
      'follow_caller with a transcriber of one language',
      { languages: ['en', 'de'], transcriber: english, follow_caller: { enabled: true } },
      [['shared_transcriber_missing', 'transcriber']],
    ],
    [
      'follow_caller with a transcriber of both languages in a profile',
      {
        languages: ['en', 'de'],
        transcriber: english,
        follow_caller: { enabled: true },
        language_profiles: [{ locale: 'de', transcriber: { provider: 'simulator', model: 'sim-listen-40' } }],
      },
      [],
    ],
    [
      'three languages with a candidate limit of three',
      {
        languages: ['en', 'de', 'fr'],
        transcriber: google,
        follow_caller: { enabled: true },
        component_credential_bindings: bound,
      },
      [],
    ],
    [
      'unknown fallbacks, and one without a voice id',
      {
        transcriber: { ...listen, fallbacks: [{ provider: 'unknown', model: 'x' }] },
        model: { provider: 'simulator', model: 'sim-chat', fallbacks: [{ provider: 'simulator', model: 'x' }] },
        voice: { provider: 'simulator', model: 'sim-speak-40', fallbacks: [elevenlabs] },
        component_credential_bindings: bound,
      },
      [
        ['provider_unknown', 'transcriber'],
        ['model_not_in_catalogue', 'model'],
        ['voice_id_missing', 'voice'],
      ],
    ],
    [
      'a fallback that does not support a language, unless the profile has its own component',
      {
        languages: ['en', 'de', 'fr'],
        transcriber: { ...listen, fallbacks: [english] },
        language_profiles: [{ locale: 'fr', transcriber: listen }],
      },
      [['language_not_supported', 'language:de']],
    ],
    [
      'a fallback without a credential',
      {
        model: {
          provider: 'simulator',
          model: 'sim-chat',
          fallbacks: [{ provider: 'anthropic', model: 'claude-haiku-4-5' }],
        },
      },
      [['credential_missing', 'credential:llm']],
    ],
    [
      'languages that one connection can distinguish',
      {
        languages: ['en', 'de', 'nl'],
        transcriber: deepgram,
        follow_caller: { enabled: true },
        component_credential_bindings: bound,
      },
      [],
    ],
    [
      'a language that the transcriber supports, but not together with others',
      {
        languages: ['en', 'pl'],
        transcriber: deepgram,
        follow_caller: { enabled: true },
        component_credential_bindings: bound,
      },
      [['shared_transcriber_missing', 'transcriber']],
    ],
    [
      'any model and any language of an OpenAI-compatible server, with a credential that names it',
      {
        languages: ['en', 'tlh'],
        transcriber: { provider: 'openai_compatible', model: 'large-v3' },
        model: { provider: 'openai_compatible', model: 'qwen3' },
        voice: { provider: 'openai_compatible', model: 'kokoro', voice_id: 'af_heart' },
        component_credential_bindings: bound,
      },
      [],
    ],
    [
      'an OpenAI-compatible server without a credential',
      { model: { provider: 'openai_compatible', model: 'qwen3' } },
      [['credential_missing', 'credential:llm']],
    ],
    [
      'four languages with a candidate limit of three',
      {
        languages: ['en', 'de', 'fr', 'es'],
        transcriber: google,
        follow_caller: { enabled: true },
        component_credential_bindings: bound,
      },
      [['candidate_limit', 'transcriber']],
    ],
    [
      'scope all beyond the candidate limit',
      {
        ...{ languages: ['en', 'de'], transcriber: google, component_credential_bindings: bound },
        follow_caller: { enabled: true, scope: 'all' },
      },
      [['candidate_limit', 'transcriber']],
    ],
    ['scope all on the default stack', { languages: ['en', 'de'], follow_caller: { enabled: true, scope: 'all' } }, []],
    [
      'scope all within the candidate limit',
      { languages: ['en', 'de'], voice: european, follow_caller: { enabled: true, scope: 'all' } },
      [],
    ],
    [
      'a live engine without any component',
      { voice_frontend: 'engine_a_live', transcriber: { provider: 'unknown', model: 'x' } },
      [],
    ],
    ['none for an external agent, which uses no components', { mode: 'external_audio', voice: elevenlabs }, []],
  ])('%s', (_title, change, expected) => {
    expect(blockersOf(change)).toEqual(expected);
  });

  it('a provider with an account of the platform requires no credential', () => {
    expect(blockersOf({ transcriber: deepgram }, managed)).toEqual([]);
  });

  it('an unlisted model cannot run on an account of the platform, whose costs would be unknown', () => {
    const transcriber = { provider: 'deepgram', model: 'nova-9' };
    expect(blockersOf({ transcriber }, managed)).toEqual([['model_not_in_catalogue', 'transcriber']]);
    expect(blockersOf({ transcriber, component_credential_bindings: bound }, managed)).toEqual([]);
    const deployment = { model: { provider: 'azure', model: 'our-deployment' } };
    expect(blockersOf(deployment, managed)).toEqual([['model_not_in_catalogue', 'model']]);
    expect(blockersOf({ ...deployment, component_credential_bindings: bound }, managed)).toEqual([]);
  });
});

describe('content of a publication', () => {
  it('follow_caller with scope all publishes every language of the components, the primary one first', () => {
    const { publication, publishedLanguages } = compile(
      configuration({
        language: 'fr',
        languages: ['fr', 'en'],
        voice: european,
        follow_caller: { enabled: true, scope: 'all' },
      }),
      catalogue,
    );
    expect(publishedLanguages).toEqual(['fr', 'de', 'en', 'es', 'it', 'nl', 'pl', 'pt', 'ru', 'sv']);
    expect(publication).toMatchObject({
      starting_language: 'fr',
      follow_caller: { enabled: true, scope: 'all' },
      languages: publishedLanguages,
    });
  });

  it('has the fallbacks of the shared components, voices with their ids, and no empty list of fallbacks', () => {
    const { publication } = compile(
      configuration({
        transcriber: { ...listen, fallbacks: [{ ...listen, options: { latency_ms: 1 } }] },
        model: { provider: 'simulator', model: 'sim-chat', fallbacks: [] },
        voice: { provider: 'simulator', model: 'sim-speak-40', fallbacks: [european] },
      }),
      catalogue,
    );
    expect(publication.transcriber.fallbacks).toEqual([{ ...listen, options: { latency_ms: 1 } }]);
    expect(publication.model).not.toHaveProperty('fallbacks');
    expect(publication.voice).toMatchObject({
      voice_id: 'sim-anna',
      fallbacks: [{ ...european, voice_id: 'sim-eva' }],
    });
    expect(publication.profiles[0]?.voice).not.toHaveProperty('fallbacks');
  });

  it('with follow_caller every profile uses the one shared transcriber', () => {
    const { publication } = compile(
      configuration({
        languages: ['en', 'de'],
        follow_caller: { enabled: true },
        language_profiles: [{ locale: 'en', transcriber: english }],
      }),
      catalogue,
    );
    expect(publication.profiles.map((profile) => profile.transcriber.model)).toEqual([
      'sim-listen-40',
      'sim-listen-40',
    ]);
  });

  it('a profile inherits omitted values and overrides the others', () => {
    const { publication } = compile(
      configuration({
        languages: ['en', 'de'],
        first_message: 'Hello',
        language_profiles: [
          {
            locale: 'de',
            greeting: 'Guten Tag',
            voice: { provider: 'simulator', model: 'sim-speak-european', voice_id: 'sim-eva' },
          },
        ],
      }),
      catalogue,
    );
    expect(publication.profiles).toEqual([
      expect.objectContaining({
        locale: 'en',
        greeting: null,
        voice: { provider: 'simulator', model: 'sim-speak-40', voice_id: 'sim-anna' },
      }),
      expect.objectContaining({
        locale: 'de',
        greeting: 'Guten Tag',
        voice: { provider: 'simulator', model: 'sim-speak-european', voice_id: 'sim-eva' },
      }),
    ]);
    expect(publication).toMatchObject({ starting_language: null, follow_caller: null, first_message: 'Hello' });
  });

  it('stored languages have no effect under an engine without languages', () => {
    const { publication, publishedLanguages } = compile(
      configuration({ voice_frontend: 'engine_a_live', languages: ['en', 'de'] }),
      catalogue,
    );
    expect(publishedLanguages).toEqual([]);
    expect(publication.languages).toEqual([]);
  });

  it.each([
    ['the stored language', 'de', ['en', 'de'], 'de'],
    ['the stored language as written in languages', 'DE', ['en', 'de'], 'de'],
    ['the first of languages if they do not contain the stored one', 'fr', ['en', 'de'], 'en'],
    ['the first of languages if none is stored', null, ['it', 'de'], 'it'],
    ['the default of the platform if nothing is stored', null, null, 'en'],
  ])('the primary language is %s', (_title, language, languages, expected) => {
    expect(compile(configuration({ language, languages }), catalogue).publication.language).toBe(expected);
  });

  it('a string as voice is a voice_id of the default voice and is returned as voice_label', () => {
    const { publication, projection } = compile(configuration({ voice: 'nova' }), catalogue);
    expect(publication.voice).toEqual({ provider: 'simulator', model: 'sim-speak-40', voice_id: 'nova' });
    expect(projection.voice_label).toBe('nova');
  });
});

describe('the projection', () => {
  it('adds up cost and latency of the components', () => {
    const { projection, costMicrosPerMinute } = compile(
      configuration({ transcriber: deepgram, voice: { ...elevenlabs, voice_id: 'v' } }),
      catalogue,
    );
    expect(projection.cost).toEqual({
      engine: 0,
      transcriber: 5800,
      model: 10,
      voice: 22_500,
      total: 28_310,
      estimated: true,
      unknown: [],
    });
    expect(costMicrosPerMinute).toBe(28_310);
    // The simulator's price is set by the platform, so it is not an estimate.
    expect(compile(configuration({}), catalogue).projection.cost).toMatchObject({
      total: 30,
      estimated: false,
      unknown: [],
    });
    expect(projection.latency).toEqual({
      engine: 0,
      transcriber: 300,
      model: 150,
      voice: 75,
      total: 525,
      estimated: true,
      unknown: [],
    });
  });

  it('an unlisted model is unknown in cost and latency, and a warning on a credential of the organization', () => {
    const { projection } = compile(
      configuration({ model: { provider: 'openai', model: 'next' }, component_credential_bindings: bound }),
      catalogue,
    );
    expect(projection.cost).toMatchObject({ model: 0, total: 20, unknown: ['model'] });
    expect(projection.latency).toMatchObject({ model: 0, unknown: ['model'] });
    expect(projection.warnings.map((text) => text.split(':')[0])).toEqual(['model_not_in_catalogue']);
  });

  it.each([
    ['voice_settings', { ...elevenlabs, voice_id: 'v' }],
    ['instruction', { provider: 'openai', model: 'gpt-4o-mini-tts', voice_id: 'v' }],
    ['speed', { provider: 'cartesia', model: 'sonic-3', voice_id: 'v' }],
  ])('delivery_control %s has all four delivery_profiles', (control, voice) => {
    const { delivery_control: found, delivery_profiles: profiles } = compile(configuration({ voice }), catalogue)
      .projection.voice;
    expect(found).toBe(control);
    expect(Object.keys(profiles).sort()).toEqual(['calm', 'lively', 'natural', 'precise']);
  });

  it('delivery_control unsupported has no delivery_profiles', () => {
    const { projection } = compile(
      configuration({ voice: { provider: 'deepgram', model: 'aura-2', voice_id: 'v' } }),
      catalogue,
    );
    expect(projection.voice).toMatchObject({ delivery_control: 'unsupported', delivery_profiles: {} });
  });

  it('is selectable only without blockers, and each blocker is a warning', () => {
    expect(compile(bare, catalogue).projection).toMatchObject({ selectable: true, warnings: [] });
    const blocked = compile(configuration({ transcriber: deepgram }), catalogue).projection;
    expect(blocked.selectable).toBe(false);
    expect(blocked.warnings).toHaveLength(1);
  });
});

describe('navigation_ineligible_reason', () => {
  const reasonOf = (change: Partial<VoiceStackConfiguration>, using: Catalogue = catalogue) =>
    compile(configuration(change), using).projection.navigation_ineligible_reason;

  it.each<[string | null, Partial<VoiceStackConfiguration>]>([
    [null, {}],
    [null, { languages: ['en', 'de', 'pl'] }],
    ['engine_not_supported', { voice_frontend: 'engine_b_live' }],
    ['engine_not_supported', { mode: 'external_text' }],
    ['languages_unreleased', { languages: ['en', 'et'] }],
    ['languages_uncovered', { languages: ['en', 'de'], transcriber: english }],
    [null, { language: null }],
  ])('is %s for %j', (reason, change) => {
    expect(reasonOf(change)).toBe(reason);
  });

  it.each([
    [null, ['en', 'de']],
    ['too_many_sockets', ['en', 'de', 'fr']],
  ])('is %s if %j need one transcriber connection each', (reason, languages) => {
    const oneEach = {
      ...catalogue,
      transcribers: catalogue.transcribers.map((provider) => ({
        ...provider,
        models: provider.models.map((model) => ({ ...model, candidate_limit: 1 })),
      })),
    };
    expect(reasonOf({ languages }, oneEach)).toBe(reason);
  });

  it('is not_released if the installation disables navigation', () => {
    expect(reasonOf({}, { ...catalogue, navigation: { ...catalogue.navigation, released: false } })).toBe(
      'not_released',
    );
  });
});
