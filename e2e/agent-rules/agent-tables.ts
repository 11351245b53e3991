import {
  accepted,
  clearedByNull,
  booleans,
  choices,
  refused,
  texts,
  type Field,
  type Json,
  type Row,
  type Shown,
} from './row';

const create = (path: string, alongside?: Json): Field => ({ via: 'create', path, alongside });
const update = (path: string, alongside?: Json): Field => ({ via: 'update', path, alongside });

const makes = (what: string, send: Json, shows: readonly Shown[]): Row => ({ what, via: 'create', send, shows });
const makesNot = (what: string, send: Json, names: string, code?: string): Row => ({
  what,
  via: 'create',
  send,
  refused: { names, code },
});
const updates = (what: string, send: Json, shows: readonly Shown[], created?: Json, given?: Json): Row => ({
  what,
  via: 'update',
  created,
  given,
  send,
  shows,
});
const updatesNot = (
  what: string,
  send: Json,
  names: string,
  created?: Json,
  refusal: Partial<Row['refused']> = {},
): Row => ({
  what,
  via: 'update',
  created,
  send,
  refused: { names, ...refusal },
});

const modes = ['hosted', 'external_audio', 'external_text'];
const engines = ['engine_a_live', 'engine_b_live'];
const route = 'PATCH /v1/agents/{agent_id}/voice-stack';

/** Rows for the fields that creation and the generic update have in common. */
const common = (field: (path: string, alongside?: Json) => Field): readonly Row[] => [
  ...choices(field('mode'), modes),
  ...texts(field('name'), [0, 200]),
  ...texts(field('first_message'), [0, 10_000]),
  ...texts(field('system_prompt'), [0, 100_000]),
  ...['en', 'de-DE', 'zh-Hans-CN', 'sr_Latn', `de-${'abcdefgh-'.repeat(3)}abcde`].map((value) =>
    accepted(field('language'), value),
  ),
  ...['e', 'x'.repeat(36), '12', 'en--US', 'en US', '', 5, null, []].map((value) => refused(field('language'), value)),
  ...booleans(field('recording_enabled')),
  ...booleans(field('answers_messages')),
  ...['pinned', { provider: 'simulator', model: 'sim-speak-40' }, { provider: 'p', model: 'm', voice_id: 'v' }].map(
    (value) => accepted(field('voice'), value),
  ),
  accepted(field('voice'), { provider: 'x'.repeat(120), model: 'x'.repeat(160), voice_id: 'x'.repeat(512) }),
  ...[
    { provider: 'x'.repeat(121), model: 'm' },
    { provider: 'p', model: 'x'.repeat(161) },
    { provider: 'p', model: 'm', voice_id: 'x'.repeat(513) },
    { provider: 'p', model: 'm', voice_id: '' },
    { provider: 'p' },
    { model: 'm' },
    { provider: '', model: 'm' },
    { provider: 'p', model: 5 },
    {},
    [],
    '',
    'x'.repeat(513),
    5,
    null,
  ].map((value) => ({ ...refused(field('voice'), value), refused: { names: 'voice' } })),
  accepted(field('translation'), { enabled: false }),
  ...['transcripts', 'messages', 'both'].map((scope) =>
    accepted(field('translation'), { enabled: true, target_language: 'de', scope }),
  ),
  ...[
    {},
    { enabled: 'yes' },
    { enabled: true, scope: 'all' },
    { enabled: true, target_language: 'x' },
    { enabled: true, other: 1 },
    [],
    null,
    'x',
  ].map((value) => ({ ...refused(field('translation'), value), refused: { names: 'translation' } })),
  accepted(field('webhook_url'), 'https://example.com/hook?a=1'),
  accepted(field('audio_stream_url'), 'wss://example.com/audio'),
  ...[
    'ftp://example.com',
    'example.com',
    'https://user:pass@example.com',
    'wss://example.com',
    '',
    5,
    null,
    'https://',
  ].map((value) => refused(field('webhook_url'), value)),
  ...['https://example.com', 'wss://user@example.com', '', 5, null].map((value) =>
    refused(field('audio_stream_url'), value),
  ),
  ...[{}, { team: 'a', deep: [{ x: null }] }, { big: 'x'.repeat(64 * 1024 - 10) }].map((value) =>
    accepted(field('metadata'), value),
  ),
  ...[{ big: 'x'.repeat(64 * 1024) }, [], 'text', 5, null].map((value) => refused(field('metadata'), value)),
  {
    ...accepted(field('begin_message'), 'Hello'),
    shows: [
      ['agent.first_message', 'Hello'],
      ['stack.first_message', 'Hello'],
    ],
  },
];

const both = { first_message: 'a', begin_message: 'a' };

const createTable: readonly Row[] = [
  ...common(create),
  ...['organization_id', 'project_id', 'mode'].flatMap((name) =>
    [undefined, null, 5, ''].map((value) => makesNot(`${name} ${String(value)}`, { [name]: value }, name)),
  ),
  makesNot('a status at creation', { status: 'suspended' }, 'status'),
  makes('alias and field that agree', both, [['agent.first_message', 'a']]),
  makesNot('alias and field that differ', { ...both, begin_message: 'b' }, 'begin_message'),
  ...[
    'turn_taking',
    'voice_polish',
    'answer_detection',
    'audio_environment',
    'navigation',
    'transcriber',
    'model',
    'component_credential_bindings',
  ].map((name) => makesNot(`${name} belongs to the voice-stack route`, { [name]: {} }, route)),
  makesNot('a name that no one knows', { nmae: 'x' }, 'nmae'),
  makes('the engine is the cascade by default', {}, [['stack.voice_frontend', 'cascade']]),
  ...engines.flatMap((engine) => [
    makes(`on ${engine} without language fields`, { voice_frontend: engine }, [['stack.voice_frontend', engine]]),
    ...Object.entries({ languages: ['en'], language_profiles: [], follow_caller: { enabled: false } }).flatMap(
      ([name, value]) =>
        [name, engine].map((named) =>
          makesNot(`${name} on ${engine}, naming ${named}`, { voice_frontend: engine, [name]: value }, named),
        ),
    ),
    makesNot(
      `follow_caller in metadata on ${engine}`,
      { voice_frontend: engine, metadata: { follow_caller: { enabled: false } } },
      'follow_caller',
    ),
  ]),
  makesNot('another engine', { voice_frontend: 'engine_c' }, 'voice_frontend'),
];

const languagesAt = (value: unknown): Shown => ['stack.language_profiles.languages', value];
const profilesAt = (value: unknown): Shown => ['stack.language_profiles.profiles', value];
const distinct = (count: number): string[] =>
  Array.from(
    { length: count },
    (_, index) => `${'abcdefghijklmnopqrstuvwxyz'.charAt(index % 26)}${index < 26 ? 'a' : 'b'}`,
  );
const locales = (count: number): Json[] => distinct(count).map((locale) => ({ locale, greeting: locale }));

const languageRows: readonly Row[] = [
  ...[1, 32].map((count) =>
    makes(`${count} languages`, { languages: distinct(count) }, [languagesAt(distinct(count))]),
  ),
  ...[[], distinct(33), ['e'], ['x'.repeat(36)], ['en', 'EN'], ['de-AT', 'de_at'], [5], [null], 'en', null, {}].map(
    (languages) => makesNot(`languages ${JSON.stringify(languages).slice(0, 30)}`, { languages }, 'languages'),
  ),
  ...[0, 32].map((count) =>
    makes(`${count} overrides`, { language_profiles: locales(count) }, [profilesAt(locales(count))]),
  ),
  makesNot('33 overrides', { language_profiles: locales(33) }, 'language_profiles'),
  ...[
    [{}],
    [{ locale: 'e' }],
    [{ locale: 'x'.repeat(36) }],
    [{ locale: 'de', greeting: 'x'.repeat(1001) }],
    [{ locale: 'de', other: 1 }],
    [{ locale: 'de' }, { locale: 'DE' }],
    [{ locale: 'de', transcriber: {} }],
    [{ locale: 'de', transcriber: { provider: 'x'.repeat(121), model: 'm' } }],
    [{ locale: 'de', transcriber: { provider: 'p', model: 'x'.repeat(161) } }],
    [{ locale: 'de', transcriber: { provider: 'p', model: 'm', voice_id: 'v' } }],
    [{ locale: 'de', voice: { provider: 'p', model: 'm' } }],
    [{ locale: 'de', voice: { provider: 'p', model: 'm', voice_id: '' } }],
    [{ locale: 'de', voice: { provider: 'p', model: 'm', voice_id: 'x'.repeat(513) } }],
    [{ locale: 'de', voice: { provider: 'p', model: 'm', voice_id: 'v', options: {} } }],
    ['de'],
    'de',
    null,
    {},
  ].map((language_profiles) =>
    makesNot(`overrides ${JSON.stringify(language_profiles).slice(0, 60)}`, { language_profiles }, 'language_profiles'),
  ),
  makes('a greeting of 1000', { language_profiles: [{ locale: 'de', greeting: '😀'.repeat(1000) }] }, [
    profilesAt([{ locale: 'de', greeting: '😀'.repeat(1000) }]),
  ]),
  makes('an empty greeting is none', { language_profiles: [{ locale: 'de', greeting: '' }] }, [
    profilesAt([{ locale: 'de' }]),
  ]),
  makes('follow_caller of two', { languages: ['en', 'de'], follow_caller: { enabled: true } }, [
    ['stack.follow_caller', { enabled: true, scope: 'selected' }],
  ]),
  makes('follow_caller of all', { languages: ['en', 'de'], follow_caller: { enabled: true, scope: 'all' } }, [
    ['stack.follow_caller', { enabled: true, scope: 'all' }],
  ]),
  makes('follow_caller that is off needs none', { follow_caller: { enabled: false } }, [
    ['stack.follow_caller', { enabled: false }],
  ]),
  ...['selected', 'all'].flatMap((scope) => [
    makesNot(
      `follow_caller of ${scope} with one language`,
      { languages: ['en'], follow_caller: { enabled: true, scope } },
      'follow_caller',
    ),
    makesNot(
      `follow_caller of ${scope} without languages`,
      { follow_caller: { enabled: true, scope } },
      'follow_caller',
    ),
    makesNot(`scope ${scope} of what is off`, { follow_caller: { enabled: false, scope } }, 'scope'),
  ]),
  ...[
    {},
    { enabled: 'true' },
    { enabled: true, scope: 'some' },
    { enabled: null },
    { enabled: true, languages: ['en', 'de'] },
    [],
    'on',
    null,
  ].map((follow_caller) =>
    makesNot(
      `follow_caller ${JSON.stringify(follow_caller)}`,
      { languages: ['en', 'de'], follow_caller },
      'follow_caller',
    ),
  ),
];

const opening = { first_speaker: 'agent', silence_wait_seconds: 3 };
const navigation = { enabled: true, max_hold_seconds: 60 };
const sections: readonly Row[] = [
  makes('opening, shown in metadata', { opening }, [
    ['stack.opening', opening],
    ['agent.metadata.opening', opening],
  ]),
  makes('an empty opening is none', { opening: {} }, [
    ['stack.opening', { first_speaker: 'callee', silence_wait_seconds: 2 }],
    ['agent.metadata.opening', undefined],
  ]),
  makesNot('a silence of 0.9', { opening: { silence_wait_seconds: 0.9 } }, 'silence_wait_seconds'),
  makesNot('a silence of 5.1', { opening: { silence_wait_seconds: 5.1 } }, 'silence_wait_seconds'),
  makesNot('opening: null', { opening: null }, 'opening'),
  makesNot('an opening with another name', { opening: { wait: 1 } }, 'wait'),
  makes('opening in metadata', { metadata: { opening } }, [['stack.opening', opening]]),
  makesNot('two openings', { opening, metadata: { opening: {} } }, 'opening'),
  makes('metadata.navigation', { metadata: { navigation } }, [
    ['stack.navigation.enabled', true],
    ['stack.navigation.max_hold_seconds', 60],
    ['agent.metadata.navigation', navigation],
  ]),
  ...[{}, null, { max_hold_seconds: 60 }].map((value) =>
    makesNot(
      `metadata.navigation ${JSON.stringify(value)}`,
      { metadata: { navigation: value } },
      'navigation',
      'navigation_enabled_required',
    ),
  ),
  ...[
    { enabled: 'x' },
    { enabled: true, other: 1 },
    { enabled: true, max_hold_seconds: 9 },
    { enabled: true, max_hold_seconds: 3601 },
    [],
    5,
  ].map((value) =>
    makesNot(`metadata.navigation ${JSON.stringify(value)}`, { metadata: { navigation: value } }, 'navigation'),
  ),
  makesNot(
    'a hold beyond the longest call',
    { metadata: { navigation: { enabled: null, max_hold_seconds: 1741 } } },
    'max_hold_seconds',
  ),
  makes(
    'a hold beyond the longest call that is off',
    { metadata: { navigation: { enabled: false, max_hold_seconds: 1741 } } },
    [['stack.navigation.max_hold_seconds', 1741]],
  ),
];

const settings = [
  'opening',
  'turn_taking',
  'voice_polish',
  'answer_detection',
  'navigation',
  'audio_environment',
  'follow_caller',
  'languages',
  'language_profiles',
];
const stored: Json = {
  languages: ['en', 'de'],
  follow_caller: { enabled: true },
  opening,
  metadata: { navigation, team: 'a' },
};
const keptSections: readonly Shown[] = [
  ['agent.metadata.opening', opening],
  ['agent.metadata.navigation', navigation],
  ['agent.metadata.follow_caller', { enabled: true, scope: 'selected' }],
];

const updateTable: readonly Row[] = [
  ...clearedByNull(common(update), [
    ...['name', 'language', 'first_message', 'begin_message', 'system_prompt', 'voice', 'translation'],
    ...['webhook_url', 'audio_stream_url'],
  ]),
  ...['active', 'inactive'].map((status) => accepted(update('status'), status)),
  ...['suspended', 'deleted', '', 'Active', 5, null].map((value) => refused(update('status'), value)),
  ...settings.flatMap((name) => [
    updatesNot(`${name} belongs to the voice-stack route`, { [name]: {} }, route),
    updatesNot(`${name}: null too`, { [name]: null }, route),
  ]),
  updatesNot('alias and field that differ', { ...both, begin_message: 'b' }, 'begin_message'),
  updatesNot('a name that no one knows', { nmae: 'x' }, 'nmae'),
  updates(
    'what is absent stays',
    { name: 'B' },
    [
      ['agent.system_prompt', 'Be kind.'],
      ['agent.name', 'B'],
    ],
    {
      name: 'A',
      system_prompt: 'Be kind.',
    },
  ),
  updates('read-only fields are ignored', { agent_id: 'x', created_at: 5, updated_at: null }, [['agent.name', 'A']], {
    name: 'A',
  }),
  updates(
    'metadata is replaced, its sections are kept',
    { metadata: { note: 'b' } },
    [['agent.metadata.team', undefined], ['agent.metadata.note', 'b'], ...keptSections],
    stored,
  ),
  updates(
    'metadata with its sections as they are',
    {
      metadata: {
        opening,
        navigation: { ...navigation, max_navigation_seconds: 180 },
        follow_caller: { enabled: true },
      },
    },
    keptSections,
    stored,
  ),
  ...Object.entries({
    opening: [{ first_speaker: 'callee' }, {}, { ...opening, silence_wait_seconds: 4 }],
    navigation: [{ enabled: false }, { enabled: true }, { enabled: null, max_hold_seconds: 60 }],
    follow_caller: [{ enabled: false }, { enabled: true, scope: 'all' }],
  }).flatMap(([name, values]) =>
    values.map((value) =>
      updatesNot(`another metadata.${name}: ${JSON.stringify(value)}`, { metadata: { [name]: value } }, route, stored),
    ),
  ),
  ...Object.entries({
    opening: [null, [], 5, { other: 1 }, { silence_wait_seconds: 6 }],
    navigation: [5, { enabled: true, max_hold_seconds: 9 }, { enabled: true, other: 1 }],
    follow_caller: [null, {}, 'on', { enabled: true, scope: 'some' }],
  }).flatMap(([name, values]) =>
    values.map((value) =>
      updatesNot(
        `a malformed metadata.${name}: ${JSON.stringify(value)}`,
        { metadata: { [name]: value } },
        `metadata.${name}`,
        stored,
      ),
    ),
  ),
  ...[null, {}, { max_hold_seconds: 60 }].map((value) =>
    updatesNot(
      `metadata.navigation ${JSON.stringify(value)}`,
      { metadata: { navigation: value } },
      'navigation',
      stored,
      {
        code: 'navigation_enabled_required',
      },
    ),
  ),
  updates(
    'a section that was never stored, as it would apply',
    { metadata: { opening: {}, follow_caller: { enabled: false }, navigation: { enabled: null } } },
    [['agent.metadata', {}]],
  ),
];

/** The tables by the class of docs/reference/agents.md and docs/reference/voice-stack.md#languages. */
export const agentTables = {
  Agent: createTable,
  'Agent, its languages, and 2.5': languageRows,
  'Agent, its sections': sections,
  AgentUpdate: updateTable,
};
