import type { Json, Row, Shown } from './row';

const saves = (what: string, send: Json, shows: readonly Shown[], created?: Json): Row => ({
  what,
  via: 'save',
  created,
  send,
  shows,
});

const savesNot = (what: string, send: Json, names: string, created?: Json): Row => ({
  what,
  via: 'save',
  created,
  send,
  refused: { names },
});

const english = { provider: 'simulator', model: 'sim-listen-en' };
const many = { provider: 'simulator', model: 'sim-listen-40' };
/** A voice for ten of the forty languages that the simulator recognizes. */
const european = { provider: 'simulator', model: 'sim-speak-european' };

/**
 * The rules about the transcriber with follow_caller (docs/reference/agents.md and docs/reference/voice-stack.md#languages). They are checked only at
 * publication.
 */
export const followCaller: readonly Row[] = [
  {
    what: 'creation stores the opt-in and publishes nothing',
    via: 'create',
    send: { languages: ['en', 'de'], follow_caller: { enabled: true, scope: 'all' } },
    shows: [
      ['stack.follow_caller', { enabled: true, scope: 'all' }],
      ['stack.language_profiles.published_version', 0],
    ],
  },
  savesNot(
    'no transcriber of the stack hears the whole set',
    { languages: ['en', 'de'], transcriber: english, follow_caller: { enabled: true } },
    'transcriber',
  ),
  saves(
    'one of an override hears it',
    {
      languages: ['en', 'de'],
      transcriber: english,
      language_profiles: [{ locale: 'de', transcriber: many }],
      follow_caller: { enabled: true },
    },
    [['stack.language_profiles.published_follow_caller', { enabled: true, scope: 'selected' }]],
  ),
  saves(
    'all: as many languages as one call can follow on the default stack',
    { languages: ['en', 'de'], follow_caller: { enabled: true, scope: 'all' } },
    [['stack.language_profiles.published_follow_caller', { enabled: true, scope: 'all' }]],
  ),
  savesNot(
    'selected: two languages on a transcriber that takes one candidate',
    { languages: ['en', 'en-GB'], transcriber: english, follow_caller: { enabled: true, scope: 'selected' } },
    'simulator/sim-listen-en',
  ),
  saves(
    'all: every compatible language is frozen, the primary one first',
    { language: 'de', languages: ['de', 'en'], voice: european, follow_caller: { enabled: true, scope: 'all' } },
    [
      ['stack.language_profiles.languages', ['de', 'en']],
      ['stack.language_profiles.published_languages', ['de', 'en', 'es', 'fr', 'it', 'nl', 'pl', 'pt', 'ru', 'sv']],
      ['stack.language_profiles.published_starting_language', 'de'],
    ],
  ),
  saves(
    'selected: the chosen ones alone',
    { languages: ['en', 'de'], voice: european, follow_caller: { enabled: true } },
    [
      ['stack.language_profiles.published_languages', ['en', 'de']],
      ['stack.language_profiles.published_starting_language', 'en'],
    ],
  ),
];

const transcriber = (provider: string, model: string): Json => ({ provider, model });
const heardBy = (languages: Readonly<Record<string, Json>>): Json => ({
  language: 'en',
  languages: Object.keys(languages),
  language_profiles: Object.entries(languages).map(([locale, chosen]) => ({ locale, transcriber: chosen })),
});
const deepgram = transcriber('deepgram', 'nova-3');
const azure = transcriber('azure', 'realtime');
const google = transcriber('google', 'chirp_3');

const ineligible = (reason: string | null, what: string, created: Json, send: Json = {}): Row =>
  saves(
    what,
    send,
    [
      ['stack.navigation.eligible', reason === null],
      ['stack.navigation.effective', reason === null],
      ['stack.navigation.ineligible_reason', reason],
    ],
    created,
  );

/**
 * Every reason that a customer can cause. `not_released` depends on the installation; `tool_name_conflict` occurs only for agents that are older than the
 * reservation of the names (services/agents/test/navigation-status.int.test.ts).
 */
export const ineligibleReasons: readonly Row[] = [
  ineligible(null, 'nothing stands against it', { language: 'en' }),
  ineligible('turned_off', 'switched off', { language: 'en' }, { navigation: { enabled: false } }),
  ineligible('engine_not_supported', 'a live engine', { language: 'en' }, { voice_frontend: 'engine_b_live' }),
  ineligible('languages_unreleased', 'a tenth language', { language: 'en', languages: ['en', 'et'] }),
  ineligible('languages_uncovered', 'a language that is not heard', heardBy({ en: english, de: english })),
  ineligible(null, 'two connections', heardBy({ en: deepgram, de: azure })),
  ineligible('too_many_sockets', 'three connections', heardBy({ en: deepgram, de: azure, fr: google })),
  ineligible('tool_budget', 'no room', { language: 'en', tools: Array.from({ length: 30 }, (_, n) => `tool_${n}`) }),
];
