import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { EffectiveTuning, effectiveTuning, fieldPaths, readEffectiveTuning } from '@parley/contract';
import { AppError } from '@parley/errors';
import { planOf, valuesOf } from './plan';
import { plainBehavior } from '../../test/plain-behavior';

type Job = Parameters<typeof planOf>[0];

const jobOf = (configuration: Record<string, unknown>, call: Partial<Job['call']> = {}): Job =>
  ({ call: { direction: 'outbound', language: null, ...call }, runtime_configuration: configuration }) as Job;

/** A copy that records the path of every value that is read from it. */
function watched<T extends object>(value: T, read: Set<string>, at = ''): T {
  return new Proxy(value, {
    get: (target, name) => {
      const path = `${at}${String(name)}`;
      const found: unknown = Reflect.get(target, name);
      if (typeof found === 'object' && found !== null && !Array.isArray(found)) return watched(found, read, `${path}.`);
      read.add(path);
      return found;
    },
  });
}

/** Effective values that `valuesOf` does not read, each with the reason. */
const notApplied = [
  // Read where the plan of each language is created.
  'languages',
  // Read where the greeting is selected.
  'profile',
  // Applied by the voice and the line, not by the core.
  'voice_polish.delivery.chosen',
  'voice_polish.delivery.voices',
  'audio_environment.preset',
  'audio_environment.volume',
  // The platform stores it in the call's record.
  'answer_detection.voicemail.chosen',
  // Read where the model is requested.
  'navigation.tools',
];

const everything = readEffectiveTuning({
  voice_polish: {
    acknowledgements: { enabled: true, phrases: ['One moment.'] },
    tool_wait: { mode: 'acknowledge' },
    unrecognised_speech: { phrase: 'Pardon?' },
  },
  navigation: { active: true },
});

describe('every effective value', () => {
  it('is read by the plan, or listed as not applied', () => {
    const read = new Set<string>();
    valuesOf(watched(everything, read), 'outbound', false);
    expect([...read, ...notApplied].sort()).toEqual(fieldPaths(EffectiveTuning).sort());
  });

  const filesOf = (...folders: readonly string[]): readonly string[] =>
    folders.flatMap((folder) =>
      readdirSync(path.join(__dirname, folder)).map((name) => path.join(__dirname, folder, name)),
    );
  const textsOf = (files: readonly string[]): readonly string[] => files.map((file) => readFileSync(file, 'utf8'));
  const values = valuesOf(everything, 'outbound', false);
  const names = [...Object.keys(values), ...Object.keys(values.conduct)];
  const absentFrom = (texts: readonly string[]): readonly string[] =>
    names.filter((name) => !texts.some((text) => new RegExp(`\\b${name}\\b`).test(text)));

  it('that the plan holds is used by a rule', () => {
    const rules = filesOf('.', '../worker').filter((file) => /(?<!\.test)\.ts$/.test(file));
    expect(absentFrom(textsOf(rules.filter((file) => !/plan\.ts$|call-behavior\.ts$/.test(file))))).toEqual([]);
  });

  it('that the plan holds is set by a test of its rule', () => {
    const tests = filesOf('.', '../worker', '../../test').filter((file) => /\.test\.ts$/.test(file));
    expect(absentFrom(textsOf(tests.filter((file) => !/plan\.test\.ts$/.test(file))))).toEqual([]);
  });

  it.each([
    [{ max_call_seconds: '60' }],
    [{ end_of_turn_ms: 1100 }],
    [{ voice_polish: { tool_wait: { mode: 'no_such_mode' } } }],
    [[]],
    ['x'],
  ])('of a wrong type, %j, is refused', (effective) => {
    expect(() => planOf(jobOf({ effective }))).toThrow(AppError);
  });

  it('may be unknown to this release, and is ignored', () => {
    expect(planOf(jobOf({ effective: { no_such_value: 1, voice_polish: { no_such_value: {} } } }))).toEqual(
      planOf(jobOf({})),
    );
  });
});

describe('the plan of a job', () => {
  it('has the defaults if the platform sends no effective values', () => {
    expect(planOf(jobOf({}))).toMatchObject({
      firstSpeaker: 'callee',
      silenceWaitMs: 2_000,
      maxCallMs: 1_740_000,
      noCallerSpeechMs: 20_000,
      interruptionMs: 500,
      interruptionWords: 0,
      endOfTurn: { finished: 600, unfinished: 1_200, withoutDetector: 800 },
      voicemailMessage: '',
      followLanguages: [],
      speculates: true,
      farEndHangsUp: 'callee_hung_up',
      nonHumanAudio: 'shadow',
      voicemail: 'shadow',
      fillers: [],
      conduct: { ...plainBehavior, modelUnresponsiveMs: 30_000 },
      greeting: '',
      language: '',
    });
  });

  it('has the effective values', () => {
    const effective = {
      first_speaker: 'agent',
      silence_wait_seconds: 1.5,
      max_call_seconds: 60,
      no_caller_speech_seconds: 10,
      interruption_threshold_ms: 750,
      min_interruption_words: 1,
      end_of_turn_ms: { finished: 900, unfinished: 1800, without_detector: 1100 },
      answer_detection: { non_human_audio: 'end_call', voicemail: { chosen: 'off', effective: 'off' } },
    };
    expect(planOf(jobOf({ effective }))).toMatchObject({
      firstSpeaker: 'agent',
      silenceWaitMs: 1_500,
      maxCallMs: 60_000,
      noCallerSpeechMs: 10_000,
      interruptionMs: 750,
      interruptionWords: 1,
      endOfTurn: { finished: 900, unfinished: 1_800, withoutDetector: 1_100 },
      nonHumanAudio: 'end_call',
      voicemail: 'off',
    });
  });

  it.each([
    ['outbound', 'phone', 'callee_hung_up'],
    ['inbound', 'phone', 'caller_hung_up'],
    ['outbound', 'browser', 'caller_hung_up'],
  ] as const)('an %s call by %s that the other party ends has the reason %s', (direction, channel, reason) => {
    expect(planOf(jobOf({}, { direction, channel })).farEndHangsUp).toBe(reason);
  });

  it('with a workflow, has no model_unresponsive deadline and no speculative generation', () => {
    const workflow = { version: 1, sha256: '', definition: { nodes: [], edges: [] } };
    const plan = planOf(jobOf({ tuning: { workflow } }));
    expect([plan.conduct.modelUnresponsiveMs, plan.speculates]).toEqual([null, false]);
  });

  it('lists the languages of the publication if follow_caller is enabled', () => {
    const followed = { ...publication, follow_caller: { enabled: true, languages: ['de'] } };
    expect(planOf(jobOf({ publication: followed })).followLanguages.map(({ locale }) => locale)).toEqual([
      'de',
      'fr-FR',
    ]);
    expect(planOf(jobOf({ publication })).followLanguages).toEqual([]);
  });

  it('has the texts of each language that the call may change to', () => {
    const language = (locale: string, word: string) => ({
      locale,
      acknowledgement_phrases: [`${word} {{name}}`],
      tool_wait_phrases: [word],
      filler_words: [word],
      voicemail_message: word,
    });
    const { followLanguages } = planOf(
      jobOf({
        publication: { follow_caller: { enabled: true }, profiles: [{ locale: 'en' }, { locale: 'de' }] },
        variables: { name: 'Ada' },
        effective: {
          languages: [language('en', 'okay'), language('de', 'gut')],
          voice_polish: { acknowledgements: { enabled: true }, tool_wait: { mode: 'acknowledge' } },
        },
      }),
    );
    expect(followLanguages.map(({ locale, texts }) => [locale, texts])).toMatchObject([
      ['en', { voicemailMessage: 'okay', fillers: ['okay'], conduct: { acknowledgement: { phrases: ['okay Ada'] } } }],
      ['de', { voicemailMessage: 'gut', fillers: ['gut'], conduct: { toolWait: { phrases: ['gut'] } } }],
    ]);
  });

  it.each([
    [149, 150],
    [150, 150],
    [151, 151],
  ])('applies an interruption threshold of %i ms as %i in a phone call', (given, honoured) => {
    expect(planOf(jobOf({ effective: { interruption_threshold_ms: given } })).interruptionMs).toBe(honoured);
  });

  it('has the agent speak first in an incoming call, even with first_speaker callee', () => {
    expect(planOf(jobOf({ effective: { first_speaker: 'callee' } }, { direction: 'inbound' })).firstSpeaker).toBe(
      'agent',
    );
  });

  const component = { provider: 'simulator', model: 'sim', voice_id: 'one' };
  const profile = (locale: string, greeting: string | null) => ({
    locale,
    greeting,
    transcriber: component,
    voice: component,
  });
  const publication = {
    voice_frontend: 'cascade',
    language: 'en-US',
    starting_language: null,
    follow_caller: null,
    first_message: 'Hello {{name}}, this is {{ brand }}{{missing}}.',
    profiles: [profile('de', 'Guten Tag {{name}}.'), profile('fr-FR', null)],
    transcriber: component,
    voice: component,
  } satisfies Parameters<typeof effectiveTuning>[0]['publication'];
  const tuning = { navigation_ineligible_reason: null };
  const catalogue = { hasComponents: () => true, wordsArriveFast: () => false, deliveryOf: () => undefined };
  const variables = { name: 'Sam', brand: 7, missing: null };

  it.each([
    [null, 'Hello Sam, this is 7.', 'en-US'],
    ['de', 'Guten Tag Sam.', 'de'],
    ['de-AT', 'Guten Tag Sam.', 'de-AT'],
    ['fr-FR', 'Hello Sam, this is 7.', 'fr-FR'],
    ['fr', 'Hello Sam, this is 7.', 'fr'],
  ])('a call in %s is greeted with %j, from the profile that the platform selected', (language, greeting, expected) => {
    const call = { channel: 'phone', direction: 'outbound', hosted: true, language: language ?? '' } as const;
    const effective = effectiveTuning({ ...call, publication, tuning, catalogue });
    const job = jobOf({ publication, variables, effective }, { language });
    expect(planOf(job)).toMatchObject({ greeting, language: expected });
    const begun = jobOf(
      { publication: { ...publication, starting_language: 'it' }, variables, effective },
      { language },
    );
    expect(planOf(begun).language).toBe(language ?? 'it');
  });

  it('inserts variables into all spoken texts', () => {
    const text = 'Hello {{name}}{{missing}}';
    const effective = {
      voice_polish: {
        end_of_call_phrase: text,
        acknowledgements: { enabled: true, phrases: [text] },
        tool_wait: { mode: 'acknowledge', phrases: [text] },
        unrecognised_speech: { phrase: text },
      },
    };
    const { conduct } = planOf(jobOf({ effective, variables: { name: 'Sam' } }));
    const texts = [
      conduct.endPhrase,
      conduct.acknowledgement?.phrases[0],
      conduct.toolWait?.phrases[0],
      conduct.unrecognised?.phrase,
    ];
    expect(texts).toEqual(texts.map(() => 'Hello Sam'));
  });

  it('a call without a selected profile is greeted with first_message', () => {
    expect(planOf(jobOf({ publication, variables }, { language: 'de' })).greeting).toBe('Hello Sam, this is 7.');
  });
});
