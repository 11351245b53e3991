import {
  accepted,
  booleans,
  choices,
  closed,
  integers,
  numbers,
  omitted,
  refused,
  texts,
  type Field,
  type Json,
  type Row,
  type Shown,
} from './row';

const save = (path: string, alongside?: Json): Field => ({ via: 'save', path, alongside });

/** A save, and the expected values in a read of the voice stack. */
const saves = (what: string, send: Json, shows: readonly Shown[], given?: Json): Row => ({
  what,
  via: 'save',
  given,
  send,
  shows,
});

const refuses = (what: string, send: Json, names: string, given?: Json, code?: string): Row => ({
  what,
  via: 'save',
  given,
  send,
  refused: { names, code },
});

const opening: readonly Row[] = [
  ...choices(save('opening.first_speaker'), ['callee', 'agent']),
  ...numbers(save('opening.silence_wait_seconds'), [1, 5]),
  ...closed(save('opening'), {}, true),
  ...[{}, null].map((value) =>
    saves(
      `${JSON.stringify(value)} resets to callee first with 2 seconds`,
      { opening: value },
      [['stack.opening', { first_speaker: 'callee', silence_wait_seconds: 2 }]],
      { opening: { first_speaker: 'agent', silence_wait_seconds: 4 } },
    ),
  ),
  saves('the silence is preserved next to agent', { opening: { first_speaker: 'agent', silence_wait_seconds: 3.5 } }, [
    ['stack.opening', { first_speaker: 'agent', silence_wait_seconds: 3.5 }],
  ]),
  saves(
    'is replaced whole',
    { opening: { silence_wait_seconds: 3 } },
    [['stack.opening', { first_speaker: 'callee', silence_wait_seconds: 3 }]],
    { opening: { first_speaker: 'agent' } },
  ),
];

const turnTaking: readonly Row[] = [
  ...choices(save('turn_taking.interruption_sensitivity'), ['balanced', 'low', 'high'], 'balanced'),
  ...integers(save('turn_taking.min_speech_ms'), [80, 2000], 500),
  ...integers(save('turn_taking.silence_hold_ms'), [100, 2000]),
  ...integers(save('turn_taking.min_interruption_words'), [0, 5]),
  ...integers(save('turn_taking.max_call_seconds'), [60, 1740], 1740),
  ...integers(save('turn_taking.no_caller_speech_seconds'), [10, 120], 20),
  ...numbers(save('turn_taking.barge_in_speech_rms'), [100, 32000]),
  ...closed(save('turn_taking'), {}, true),
  saves('an unconfigured agent has no turn_taking', {}, [['stack.turn_taking', undefined]]),
  saves(
    'with every field at its default the key goes',
    { turn_taking: { interruption_sensitivity: 'balanced', max_call_seconds: 1740, no_caller_speech_seconds: 20 } },
    [['stack.turn_taking', undefined]],
  ),
  saves(
    '500 ms next to another sensitivity overrides its preset',
    { turn_taking: { interruption_sensitivity: 'high', min_speech_ms: 500 } },
    [['stack.turn_taking', { interruption_sensitivity: 'high', min_speech_ms: 500 }]],
  ),
  ...[{}, null].map((value) =>
    saves(`${JSON.stringify(value)} resets`, { turn_taking: value }, [['stack.turn_taking', undefined]], {
      turn_taking: { silence_hold_ms: 300 },
    }),
  ),
  saves('an absent section stays', { first_message: 'Hello' }, [['stack.turn_taking', { silence_hold_ms: 300 }]], {
    turn_taking: { silence_hold_ms: 300 },
  }),
];

/** Digits of many scripts and symbols of many currencies, which are refused. Letters that denote numbers are accepted. */
const unspeakable = [
  '1',
  '٣',
  '۴',
  '५',
  '๖',
  '１',
  '𝟗',
  '²',
  'Ⅷ',
  '½',
  '①',
  '$',
  '€',
  '£',
  '¥',
  '₹',
  '₽',
  '₿',
  '฿',
  '﷼',
  '＄',
  '¢',
];
const speakable = ['Moment', 'Üks hetk', 'один момент', 'لحظة', '少々お待ちください', '잠시만요', 'ein Äuglein!', '👍'];

const phrases = (path: string, alongside?: Json): readonly Row[] => {
  const field = save(path, alongside);
  const list = (count: number): string[] => Array.from({ length: count }, (_, index) => 'abcdefgh'.charAt(index));
  return [
    accepted(field, list(6)),
    accepted(field, speakable.slice(0, 6)),
    accepted(field, speakable.slice(6)),
    ...['x', '😀'].map((one) => accepted(field, [one.repeat(40)])),
    ...['x', '😀'].map((one) => refused(field, [one.repeat(41)])),
    refused(field, list(7)),
    ...['', 5, null, ['a'], {}].map((item) => refused(field, [item])),
    ...['text', 5, null, {}].map((value) => refused(field, value)),
    ...unspeakable.map((mark) => refused(field, [`a ${mark} b`])),
    refused(field, ['fine', 'Only 5 minutes']),
  ];
};

const voicePolish: readonly Row[] = [
  ...choices(save('voice_polish.delivery'), ['natural', 'lively', 'calm', 'precise']),
  ...texts(save('voice_polish.end_of_call_phrase'), [0, 300]),
  ...closed(save('voice_polish'), {}, true),
  ...booleans(save('voice_polish.acknowledgements.enabled')),
  ...integers(save('voice_polish.acknowledgements.delay_ms'), [600, 3000]),
  ...phrases('voice_polish.acknowledgements.phrases'),
  ...closed(save('voice_polish.acknowledgements'), { enabled: true }, true),
  ...choices(save('voice_polish.tool_wait.mode'), ['off', 'acknowledge', 'sound']),
  ...integers(save('voice_polish.tool_wait.delay_ms'), [600, 3000]),
  ...phrases('voice_polish.tool_wait.phrases', { voice_polish: { tool_wait: { mode: 'acknowledge' } } }),
  ...closed(save('voice_polish.tool_wait'), { mode: 'off' }, true),
  refuses('phrases with sound', { voice_polish: { tool_wait: { mode: 'sound', phrases: ['Moment'] } } }, 'phrases'),
  accepted(save('voice_polish.unrecognised_speech.enabled'), false),
  omitted(save('voice_polish.unrecognised_speech.enabled'), true),
  refused(save('voice_polish.unrecognised_speech.enabled'), 'false'),
  refused(save('voice_polish.unrecognised_speech.enabled'), null),
  ...integers(save('voice_polish.unrecognised_speech.max_per_call'), [1, 5]),
  ...texts(save('voice_polish.unrecognised_speech.phrase'), [0, 300]),
  ...closed(save('voice_polish.unrecognised_speech'), { enabled: false }, true),
  ...[0, 10, 10.5, 120].map((value) => accepted(save('voice_polish.model_unresponsive.seconds'), value)),
  ...[-1, 0.5, 9.999, 120.001, '10', null, true].map((value) =>
    refused(save('voice_polish.model_unresponsive.seconds'), value),
  ),
  ...closed(save('voice_polish.model_unresponsive'), { seconds: 0 }, true),
  saves(
    'nothing configured, no section',
    {
      voice_polish: {
        model_unresponsive: {},
        acknowledgements: null,
        tool_wait: {},
        unrecognised_speech: { enabled: true },
      },
    },
    [['stack.voice_polish', undefined]],
  ),
  saves(
    'is replaced whole, its subsections too',
    { voice_polish: { tool_wait: { mode: 'sound' } } },
    [['stack.voice_polish', { tool_wait: { mode: 'sound' } }]],
    { voice_polish: { delivery: 'calm', tool_wait: { delay_ms: 700 }, end_of_call_phrase: 'Bye' } },
  ),
  ...[{}, null].map((value) =>
    saves(`${JSON.stringify(value)} resets`, { voice_polish: value }, [['stack.voice_polish', undefined]], {
      voice_polish: { delivery: 'calm' },
    }),
  ),
];

const messages = (value: unknown): Json => ({ answer_detection: { voicemail_messages: value } });
const shownMessages = (value: unknown): Shown => ['stack.answer_detection.voicemail_messages', value];
const manyLanguages = (count: number): Json =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `${'abcdefghijklmnopqrstuvwxyz'.charAt(index % 26)}${index < 26 ? 'a' : 'b'}`,
      'Hello',
    ]),
  );
const messageField = save('answer_detection.voicemail_messages');

const answerDetection: readonly Row[] = [
  ...choices(save('answer_detection.non_human_audio'), ['shadow', 'end_call', 'off']),
  ...choices(save('answer_detection.voicemail', { answer_detection: { voicemail_messages: { en: 'Hi' } } }), [
    'shadow',
    'hang_up',
    'leave_message',
    'off',
  ]),
  ...closed(save('answer_detection'), {}, true),
  saves(
    'values equal to the default are stored',
    { answer_detection: { non_human_audio: 'shadow', voicemail: 'shadow' } },
    [['stack.answer_detection', { non_human_audio: 'shadow', voicemail: 'shadow' }]],
  ),
  saves(
    'is replaced whole',
    { answer_detection: { voicemail: 'off' } },
    [['stack.answer_detection', { voicemail: 'off' }]],
    {
      answer_detection: { non_human_audio: 'end_call' },
    },
  ),
  saves('a locale is stored as its language', messages({ 'de-DE': 'Hallo' }), [shownMessages({ de: 'Hallo' })]),
  saves('with an underline too, in any case', messages({ EN_us: 'Hi', 'zh-Hans-CN': '你好' }), [
    shownMessages({ en: 'Hi', zh: '你好' }),
  ]),
  refuses('two locales of one language', messages({ 'de-DE': 'a', 'de-AT': 'b' }), 'de'),
  saves('white space runs become one space', messages({ en: '  a \t\r\n  b\n' }), [shownMessages({ en: 'a b' })]),
  saves('blank text removes', messages({ en: ' \n\t ', de: 'Hallo' }), [shownMessages({ de: 'Hallo' })]),
  saves('all blank leaves none', messages({ en: '' }), [['stack.answer_detection', undefined]], messages({ en: 'Hi' })),
  ...['a\u0007b', '\u000bHello', 'Hello\u000c', '\u001b[0m', 'a\u007fb', 'a\u0085b', '\u009f'].map((text) =>
    refuses(`the control character in ${JSON.stringify(text)}`, messages({ en: text }), 'en'),
  ),
  saves('400 characters after collapsing', messages({ en: `${'😀'.repeat(200)}   ${'x'.repeat(199)}` }), [
    shownMessages({ en: `${'😀'.repeat(200)} ${'x'.repeat(199)}` }),
  ]),
  refuses('401 characters', messages({ en: 'x'.repeat(401) }), 'en'),
  saves('32 keys', messages(manyLanguages(32)), [shownMessages(manyLanguages(32))]),
  refuses('33 keys', messages(manyLanguages(33)), 'voicemail_messages'),
  ...['e', 'engl', 'e1', 'en-', 'en--US', 'en US', '', 'en.', '-en', 'дe'].map((key) =>
    refuses(`the key ${JSON.stringify(key)}`, messages({ [key]: 'Hello' }), 'voicemail_messages'),
  ),
  ...[5, null, [], {}, true].map((value) =>
    refuses(`a message ${JSON.stringify(value)}`, messages({ en: value }), 'en'),
  ),
  ...['text', 5, []].map((value) => refused(messageField, value)),
  refuses(
    'leave_message without a message',
    { answer_detection: { voicemail: 'leave_message' } },
    'voicemail_messages',
  ),
  refuses(
    'leave_message with blank ones',
    { answer_detection: { voicemail: 'leave_message', voicemail_messages: { en: ' ' } } },
    'voicemail_messages',
  ),
  ...['shadow', 'hang_up', 'off'].map((voicemail) =>
    saves(
      `messages are kept under ${voicemail}`,
      { answer_detection: { voicemail, voicemail_messages: { en: 'Hi' } } },
      [['stack.answer_detection', { voicemail, voicemail_messages: { en: 'Hi' } }]],
    ),
  ),
  ...[{}, null].map((value) =>
    saves(`${JSON.stringify(value)} resets`, { answer_detection: value }, [['stack.answer_detection', undefined]], {
      answer_detection: { voicemail: 'off' },
    }),
  ),
];

const on = { navigation: { enabled: true } };
const longest = (seconds: number): Json => ({ turn_taking: { max_call_seconds: seconds } });
const limit = (name: string, seconds: number, enabled: boolean | null = true): Json => ({
  navigation: { enabled, [name]: seconds },
});
const navigationAt = (name: string, value: unknown): Shown => [`stack.navigation.${name}`, value];

const navigation: readonly Row[] = [
  ...[true, false, null].map((enabled) => accepted(save('navigation.enabled'), enabled)),
  ...['true', 1, [], {}].map((value) => refused(save('navigation.enabled'), value)),
  ...[{}, null, { max_hold_seconds: 60 }, { max_navigation_seconds: 60, effective: true }].map((value) =>
    refuses(
      `${JSON.stringify(value)} lacks enabled`,
      { navigation: value },
      'navigation',
      undefined,
      'navigation_enabled_required',
    ),
  ),
  ...integers(save('navigation.max_navigation_seconds', on), [10, 900]),
  ...integers(save('navigation.max_hold_seconds', { navigation: { enabled: false } }), [10, 3600]),
  ...closed(save('navigation'), { enabled: true }, true),
  saves(
    'what a read adds is ignored',
    { navigation: { enabled: false, effective: 'x', eligible: 5, ineligible_reason: {} } },
    [navigationAt('enabled', false), navigationAt('effective', false), navigationAt('ineligible_reason', 'turned_off')],
  ),
  ...(['max_hold_seconds', 'max_navigation_seconds'] as const).flatMap((name) => [
    saves(`${name} as long as the call`, limit(name, 300), [navigationAt(name, 300)], longest(300)),
    refuses(`${name} longer than the call`, limit(name, 301), name, longest(300)),
    refuses(`${name} longer than the call, where the platform decides`, limit(name, 301, null), name, longest(300)),
    refuses(`the call shortened below ${name}`, longest(299), 'max_call_seconds', limit(name, 300)),
    refuses(
      `the call shortened below ${name}, where the platform decides`,
      longest(299),
      'max_call_seconds',
      limit(name, 300, null),
    ),
    saves(
      `the call shortened to ${name}`,
      longest(300),
      [['stack.turn_taking.max_call_seconds', 300]],
      limit(name, 300),
    ),
    refuses(`switched on next to a longer ${name}`, limit(name, 301), name, {
      ...longest(300),
      ...limit(name, 301, false),
    }),
    saves(`kept next to enabled false: ${name}`, limit(name, 301, false), [navigationAt(name, 301)], longest(300)),
    saves(
      `the call shortened below ${name} that is off`,
      longest(299),
      [navigationAt(name, 300)],
      limit(name, 300, false),
    ),
  ]),
  refuses('both in one save', { ...limit('max_hold_seconds', 301), ...longest(300) }, 'max_hold_seconds'),
  saves('both in one save that agree', { ...limit('max_hold_seconds', 900), ...longest(900) }, [
    navigationAt('max_hold_seconds', 900),
  ]),
  refuses('a hold longer than the longest call', limit('max_hold_seconds', 1741), 'max_hold_seconds'),
  saves('defaults are not held against a short call', longest(60), [navigationAt('max_hold_seconds', 600)], on),
  refuses(
    'the default call length again, below the limit',
    { turn_taking: null, ...limit('max_hold_seconds', 1741) },
    'max_hold_seconds',
  ),
];

export const navigationReplaced: readonly Row[] = [
  saves(
    'omitted limits return to their defaults',
    on,
    [navigationAt('max_hold_seconds', 600), navigationAt('max_navigation_seconds', 180)],
    { navigation: { enabled: true, max_hold_seconds: 60, max_navigation_seconds: 20 } },
  ),
];

const environment = { audio_environment: { preset: 'office' } };
const audioEnvironment: readonly Row[] = [
  ...choices(save('audio_environment.preset'), ['none', 'office', 'street', 'call_center']),
  ...numbers(save('audio_environment.volume', environment), [0, 1]).filter(({ send }) => JSON.stringify(send) !== '{}'),
  ...closed(save('audio_environment'), { preset: 'office' }, true),
  refuses('a volume of nothing', { audio_environment: { volume: 0.5 } }, 'preset'),
  ...[{}, null].map((value) =>
    saves(
      `${JSON.stringify(value)} resets`,
      { audio_environment: value },
      [['stack.audio_environment', undefined]],
      environment,
    ),
  ),
  saves(
    'what an invalid one reads as leaves it',
    { audio_environment: { invalid: true, stored: { preset: 'beach' } } },
    [['stack.audio_environment', { preset: 'office' }]],
    environment,
  ),
];

/** The tables by section of the voice stack (docs/reference/tuning.md). */
export const tuningTables = {
  AgentOpening: opening,
  AgentTurnTaking: turnTaking,
  AgentVoicePolish: voicePolish,
  AgentAnswerDetection: answerDetection,
  AgentNavigation: navigation,
  'audio environment': audioEnvironment,
};
