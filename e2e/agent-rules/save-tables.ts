import {
  accepted,
  clearedByNull,
  choices,
  closed,
  refused,
  texts,
  type Field,
  type Json,
  type Row,
  type Shown,
} from './row';

const save = (path: string, alongside?: Json): Field => ({ via: 'save', path, alongside });
const saves = (what: string, send: Json, shows: readonly Shown[], given?: Json, created?: Json): Row => ({
  what,
  via: 'save',
  created,
  given,
  send,
  shows,
});
const savesNot = (
  what: string,
  send: Json,
  names: string,
  given?: Json,
  refusal: Partial<Row['refused']> = {},
): Row => ({
  what,
  via: 'save',
  given,
  send,
  refused: { names, ...refusal },
});

const component = { provider: 'simulator', model: 'x' };
const components = (path: string): readonly Row[] => [
  ...[
    { provider: 'x'.repeat(120), model: 'x'.repeat(160) },
    { ...component, options: { latency_ms: 10_000 } },
  ].map((value) => accepted({ ...save(path), shown: `stack.${path}.provider` }, value, value.provider)),
  ...[
    { provider: 'x'.repeat(121), model: 'm' },
    { provider: 'p', model: 'x'.repeat(161) },
    { provider: '', model: 'm' },
    { provider: 'p', model: '' },
    { provider: 'p' },
    { ...component, options: [] },
    { ...component, options: { latency_ms: 10_001 } },
    { ...component, options: { api_key: 'x' } },
    { ...component, options: { big: 'x'.repeat(16 * 1024) } },
    { ...component, other: 1 },
    {},
    [],
    5,
    null,
  ].map((value) => ({ ...refused(save(path), value), refused: { names: path } })),
];

const profiles: readonly Shown[] = [['stack.language_profiles.profiles', [{ locale: 'de', greeting: 'Hallo' }]]];
const optedIn = { languages: ['en', 'de'], language_profiles: [{ locale: 'de', greeting: 'Hallo' }] };
const languageFields = { languages: ['en'], language_profiles: [], follow_caller: { enabled: false } };

const saveTable: readonly Row[] = [
  ...clearedByNull(
    [...texts({ ...save('system_prompt') }, [0, 100_000]), ...texts(save('first_message'), [0, 10_000])],
    ['system_prompt', 'first_message'],
  ),
  {
    ...accepted(save('begin_message'), 'Hello'),
    shows: [
      ['stack.first_message', 'Hello'],
      ['agent.first_message', 'Hello'],
    ],
  },
  savesNot('alias and field that differ', { first_message: 'a', begin_message: 'b' }, 'begin_message'),
  ...choices(save('voice_frontend'), ['cascade', 'engine_a_live', 'engine_b_live']),
  ...['transcriber', 'model', 'voice'].flatMap((name) => clearedByNull(components(name), [name])),
  saves('a legacy label', { voice: 'nova' }, [
    ['stack.voice.voice_id', 'nova'],
    ['stack.voice_label', 'nova'],
    ['agent.voice', 'nova'],
  ]),
  ...['', 'x'.repeat(513)].map((voice) => savesNot(`a label of ${voice.length}`, { voice }, 'voice')),
  ...['transcriber', 'model'].map((name) => savesNot(`${name} as a label`, { [name]: 'nova' }, name)),
  ...['e', 'x'.repeat(36), '12', '', 5].map((language) =>
    savesNot(`language ${JSON.stringify(language)}`, { language }, 'language'),
  ),
  ...closed(save('component_credential_bindings'), { stt: null }, false),
  ...['stt', 'llm', 'tts'].flatMap((kind) => [
    saves(`${kind}: null is the platform's choice`, { component_credential_bindings: { [kind]: null } }, [
      ['stack.component_credential_bindings', undefined],
    ]),
    ...['cred_doesnotexist', 'x', '', 'x'.repeat(65), 5, [], {}, true].map((value) =>
      savesNot(
        `${kind} ${JSON.stringify(value).slice(0, 20)}`,
        { component_credential_bindings: { [kind]: value } },
        kind,
      ),
    ),
  ]),
  ...[-1, 0.5, '0', null, true].map((value) =>
    savesNot(`revision ${String(value)}`, { language_profile_revision: value }, 'language_profile_revision'),
  ),
  saves('the current revision', { language_profile_revision: 0, language: 'de' }, [
    ['stack.language_profiles.revision', 1],
  ]),
  savesNot(
    'another revision',
    { language_profile_revision: 1, language: 'de' },
    'language_profile_revision',
    undefined,
    {
      status: 409,
      code: 'ConflictError',
    },
  ),
  saves(
    'overrides are replaced when supplied',
    { language_profiles: [] },
    [['stack.language_profiles.profiles', []]],
    optedIn,
  ),
  saves(
    'overrides as they are read',
    { language_profiles: { languages: ['fr'], profiles: [{ locale: 'de', greeting: 'Hallo' }] } },
    profiles,
    optedIn,
  ),
  savesNot(
    '33 languages',
    {
      languages: Array.from(
        { length: 33 },
        (_, index) => `a${String.fromCharCode(97 + (index % 26))}${index < 26 ? '' : 'a'}`,
      ),
    },
    'languages',
  ),
  ...[[], ['en', 'EN'], ['e'], [5], 'en'].map((languages) =>
    savesNot(`languages ${JSON.stringify(languages)}`, { languages }, 'languages'),
  ),
  ...['engine_a_live', 'engine_b_live'].flatMap((engine) =>
    Object.entries(languageFields).flatMap(([name, value]) => [
      ...[name, engine].map((named) =>
        savesNot(`${name} next to ${engine}, naming ${named}`, { voice_frontend: engine, [name]: value }, named),
      ),
      savesNot(`${name} on stored ${engine}`, { [name]: value }, engine, { voice_frontend: engine }),
    ]),
  ),
  saves(
    'languages of another engine stay, without effect',
    { voice_frontend: 'engine_a_live' },
    [
      ['stack.language_profiles.languages', ['en', 'de']],
      ['stack.language_profiles.published_languages', []],
    ],
    optedIn,
  ),
  savesNot('follow_caller with one language', { languages: ['en'], follow_caller: { enabled: true } }, 'follow_caller'),
  savesNot('fewer languages than are followed', { languages: ['en'] }, 'follow_caller', {
    ...optedIn,
    follow_caller: { enabled: true },
  }),
  saves('null opts out', { follow_caller: null }, [['stack.follow_caller', undefined]], {
    ...optedIn,
    follow_caller: { enabled: true },
  }),
  savesNot('a name that no one knows', { turn_takin: {} }, 'turn_takin'),
  ...['status', 'metadata', 'mode', 'name', 'recording_enabled', 'answers_messages', 'translation', 'webhook_url'].map(
    (name) => savesNot(`${name} is of the generic update`, { [name]: 'x' }, name),
  ),
  saves(
    'read-only fields are ignored',
    { agent_id: 1, cost: 'x', latency: [], selectable: 0, warnings: {}, voice_label: 5 },
    [],
  ),
  savesNot('two errors: fields come before conflicts', { language_profile_revision: 7, language: '12' }, 'language'),
];

const name64 = 'a'.repeat(64);
const webhook = {
  type: 'webhook',
  name: 'look_up',
  description: 'Looks up.',
  parameters: { type: 'object' },
  url: 'https://example.com/tool',
  method: 'POST',
};
const destination = { name: 'Desk', to: '+14155550100', kind: 'cold' };
const many = (count: number): string[] => Array.from({ length: count }, (_, index) => `tool_${index}`);

/** The rules of tools, tested with each of the three routes. */
const tools = (via: Row['via']): readonly Row[] => {
  const shownTools = (value: unknown): readonly Shown[] => [['agent.tools', value]];
  const takes = (what: string, list: unknown, shown: unknown = list): Row => ({
    what,
    via,
    send: { tools: list },
    shows: shownTools(shown),
  });
  const takesNot = (what: string, list: unknown, names = 'tools'): Row => ({
    what,
    via,
    send: { tools: list },
    refused: { names },
  });
  return [
    takes('legacy names', ['a', 'B_2-c', name64]),
    takes('32', many(32)),
    takesNot('33', many(33)),
    ...['', `${name64}a`, 'a b', 'ä', 'a.b', 'a\n'].map((name) =>
      takesNot(`the name ${JSON.stringify(name).slice(0, 20)}`, [name]),
    ),
    ...['press_digits', 'wait_on_hold', 'abandon_navigation'].flatMap((name) => [
      takesNot(`${name} is reserved`, [name], name),
      takesNot(`${name} of a webhook`, [{ ...webhook, name }], name),
      takesNot(`${name} of a connection`, [{ type: 'connection', connection_id: 'c', action: 'a', name }], name),
      takesNot(`${name} as an action`, [{ type: 'connection', connection_id: 'c', action: name }], name),
    ]),
    takesNot('a name twice', ['a', 'a'], 'a'),
    takesNot('a name twice, in two kinds', ['look_up', webhook], 'look_up'),
    takes('the built-in transfer_call', [
      { type: 'builtin', name: 'transfer_call', config: { destinations: [destination] } },
    ]),
    takesNot('a transfer to nowhere', [{ type: 'builtin', name: 'transfer_call' }], 'destinations'),
    takesNot(
      'a connection whose action is no tool name',
      [{ type: 'connection', connection_id: 'c', action: 'a b' }],
      'name',
    ),
    ...['end_call', 'send_sms', 'query_knowledge', 'leave_voicemail'].flatMap((name) => [
      takes(`the built-in ${name}`, [{ type: 'builtin', name, config: {} }]),
      takesNot(`an unknown setting of ${name}`, [{ type: 'builtin', name, config: { a: 1 } }], 'config.a'),
    ]),
    takes('further recipients', [{ type: 'builtin', name: 'send_sms', config: { to: ['+14155550100'] } }]),
    takesNot('recipients without a number', [{ type: 'builtin', name: 'send_sms', config: { to: ['911'] } }], 'to'),
    takesNot('another built-in', [{ type: 'builtin', name: 'dial' }], 'name'),
    takesNot('an unknown connection', [{ type: 'connection', connection_id: 'c', action: 'a' }], 'connection_id'),
    takes(
      'a webhook, whose header values are never read',
      [{ ...webhook, headers: { 'X-Team': 'a' }, timeout_ms: 1000 }],
      [{ ...webhook, headers: { 'X-Team': '***' }, timeout_ms: 1000 }],
    ),
    takes('a webhook that is slow', [{ ...webhook, timeout_ms: 30_000 }]),
    takes('read-only marks are dropped', [{ ...webhook, read_only: true }], [webhook]),
    ...Object.keys(webhook)
      .filter((field) => field !== 'type')
      .map((field) => takesNot(`a webhook without ${field}`, [{ ...webhook, [field]: undefined }], field)),
    ...[999, 30_001, 1000.5, '1000', null].map((timeout_ms) =>
      takesNot(`timeout_ms ${String(timeout_ms)}`, [{ ...webhook, timeout_ms }], 'timeout_ms'),
    ),
    ...['ftp://x', 'https://u:p@example.com', '', null].map((url) =>
      takesNot(`url ${String(url)}`, [{ ...webhook, url }], 'url'),
    ),
    ...['HEAD', 'post', null].map((method) => takesNot(`method ${String(method)}`, [{ ...webhook, method }], 'method')),
    ...[{ 'a b': 'x' }, { a: 'x\ny' }, { a: 5 }, [], 'x'].map((headers) =>
      takesNot(`headers ${JSON.stringify(headers)}`, [{ ...webhook, headers }], 'headers'),
    ),
    ...[[], 'object', null, 5].map((parameters) =>
      takesNot(`parameters ${JSON.stringify(parameters)}`, [{ ...webhook, parameters }], 'parameters'),
    ),
    ...[{}, { type: 'other' }, { type: null }, 5, null, []].map((tool) =>
      takesNot(`a tool ${JSON.stringify(tool)}`, [tool]),
    ),
    ...['a', {}, null, 5].map((list) => takesNot(`tools ${JSON.stringify(list)}`, list)),
  ];
};

/** Language profiles that a save does not contain must stay unchanged, whatever else it changes. */
export const preserved: readonly Row[] = [
  saves('next to other languages', { languages: ['de', 'en'] }, profiles, optedIn),
  saves('next to the prompt', { system_prompt: 'Be kind.' }, profiles, optedIn),
  saves('next to another engine', { voice_frontend: 'engine_a_live' }, profiles, optedIn),
];

export const emptyGreeting: readonly Row[] = [
  saves(
    'removes its override',
    { language_profiles: [{ locale: 'de', greeting: '' }] },
    [['stack.language_profiles.profiles', [{ locale: 'de' }]]],
    optedIn,
  ),
];

const navigationReason = (value: unknown): readonly Shown[] => [['stack.navigation.ineligible_reason', value]];
export const toolBudget: readonly Row[] = [
  saves('29 leave room for navigation', { tools: many(29) }, navigationReason(null), { language: 'en' }),
  saves('30 do not', { tools: many(30) }, navigationReason('tool_budget'), { language: 'en' }),
  saves('32 are saved and published', { tools: many(32), languages: ['en'] }, navigationReason('tool_budget')),
  savesNot('33 are refused', { tools: many(33) }, 'tools'),
];

/** The tables by the class or topic of docs/reference/voice-stack.md and docs/reference/agents.md#tools. */
export const saveTables = {
  AgentVoiceStackUpdate: saveTable,
  'tools at creation': tools('create'),
  'tools of an update': tools('update'),
  'tools of a save': tools('save'),
};
