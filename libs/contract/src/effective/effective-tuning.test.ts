import type { PublishedProfile } from '../documents/voice-stack-configuration';
import type { AgentAnswerDetection } from '../objects/answer-detection';
import type { AgentAudioEnvironment } from '../objects/audio-environment';
import type { AgentNavigation, NavigationIneligibleReason } from '../objects/navigation';
import type { AgentOpening } from '../objects/opening';
import type { AgentTurnTaking } from '../objects/turn-taking';
import type { AgentVoicePolish } from '../objects/voice-polish';
import { catalogueFacts } from './catalogue-facts';
import { effectiveTuning, type EffectiveInputs, type PublicationFacts } from './effective-tuning';

const catalogue = catalogueFacts({
  conversation_engines: { cascade: { has_language_axis: true }, engine_a_live: { has_language_axis: false } },
  transcribers: [
    {
      provider: 'ears',
      models: [
        { model: 'fast', fast_words: true },
        { model: 'slow', fast_words: false },
      ],
    },
  ],
  voices: [
    {
      provider: 'mouth',
      models: [
        { model: 'paced', delivery_control: 'speed', delivery_profiles: { natural: 1, calm: 0.9 } },
        { model: 'reported', delivery_control: 'instruction', delivery_profiles: { calm: 'Speak calmly.' } },
        { model: 'plain', delivery_control: 'unsupported', delivery_profiles: {} },
      ],
    },
  ],
});

const publication: PublicationFacts = {
  voice_frontend: 'cascade',
  language: 'en-US',
  starting_language: null,
  follow_caller: null,
  profiles: [],
  first_message: 'Hello',
  transcriber: { provider: 'ears', model: 'fast' },
  voice: { provider: 'mouth', model: 'paced', voice_id: 'v' },
};

const profile = (locale: string, change: Partial<PublishedProfile> = {}): PublishedProfile => ({
  locale,
  greeting: null,
  transcriber: { provider: 'ears', model: 'fast' },
  voice: { provider: 'mouth', model: 'paced', voice_id: 'v' },
  ...change,
});

const effective = (tuning: Partial<EffectiveInputs['tuning']> = {}, change: Partial<EffectiveInputs> = {}) =>
  effectiveTuning({
    channel: 'phone',
    direction: 'outbound',
    hosted: true,
    language: '',
    publication,
    tuning: { navigation_ineligible_reason: null, ...tuning },
    catalogue,
    ...change,
  });

const turns = (turn_taking: AgentTurnTaking = {}, change: Partial<EffectiveInputs> = {}) =>
  effective({ turn_taking }, change);

it('an agent without tuning has the documented defaults', () => {
  expect(effective({}, { language: 'sv' })).toMatchObject({
    profile: profile('en-US', { greeting: 'Hello' }),
    first_speaker: 'callee',
    silence_wait_seconds: 2,
    max_call_seconds: 1740,
    no_caller_speech_seconds: 20,
    interruption_threshold_ms: 500,
    min_interruption_words: 0,
    filler_words: [],
    end_of_turn_ms: { finished: 600, unfinished: 1200, without_detector: 800 },
    voice_polish: {
      delivery: {
        chosen: null,
        voices: [{ provider: 'mouth', model: 'paced', delivery_control: 'speed', value: null }],
      },
      end_of_call_phrase: null,
      acknowledgements: { enabled: false, delay_ms: 1200, phrases: [] },
      tool_wait: {
        mode: 'off',
        delay_ms: 1000,
        phrases: [],
        sound_seconds: 15,
        silent_tools: ['end_call', 'transfer_call'],
      },
      unrecognised_speech: { enabled: true, max_per_call: 2, phrase: null },
      model_unresponsive: { seconds: 30 },
    },
    answer_detection: {
      non_human_audio: 'shadow',
      voicemail: { chosen: 'shadow', effective: 'shadow' },
      voicemail_message: null,
    },
    navigation: {
      active: true,
      max_hold_seconds: 600,
      max_navigation_seconds: 180,
      tools: ['press_digits', 'wait_on_hold', 'abandon_navigation'],
    },
    audio_environment: { preset: 'none', volume: 0 },
  });
});

describe('effective turn-taking', () => {
  it.each([
    ['balanced', 500, 600, 1200, 800],
    ['low', 750, 900, 1800, 1100],
    ['high', 150, 260, 600, 600],
  ] as const)(
    'interruption_sensitivity %s sets its preset in all languages',
    (interruption_sensitivity, interruption, finished, unfinished, without_detector) => {
      for (const language of ['en', 'de', 'zh-CN'])
        expect(turns({ interruption_sensitivity }, { language })).toMatchObject({
          interruption_threshold_ms: interruption,
          end_of_turn_ms: { finished, unfinished, without_detector },
        });
    },
  );

  it.each([
    ['an agent that is not hosted', { hosted: false }],
    ['a browser call', { channel: 'browser' as const }],
  ])('presets apply to hosted phone calls only: %s keeps the preset balanced', (_title, change) => {
    expect(turns({ interruption_sensitivity: 'high' }, change)).toMatchObject({
      interruption_threshold_ms: 500,
      end_of_turn_ms: { finished: 600, unfinished: 1200, without_detector: 800 },
    });
  });

  it.each([
    [80, 150],
    [149, 150],
    [150, 150],
    [151, 151],
    [2000, 2000],
  ])('min_speech_ms %d on the phone is applied as %d with any preset', (min_speech_ms, expected) => {
    for (const interruption_sensitivity of ['balanced', 'low', 'high'] as const) {
      const values = turns({ interruption_sensitivity, min_speech_ms });
      expect(values.interruption_threshold_ms).toBe(expected);
      expect(values.end_of_turn_ms).toEqual(turns({ interruption_sensitivity }).end_of_turn_ms);
    }
  });

  it('min_speech_ms is not applied to browser calls', () => {
    expect(turns({ min_speech_ms: 900 }, { channel: 'browser' }).interruption_threshold_ms).toBe(500);
  });

  it.each([
    [100, { finished: 250, unfinished: 1200, without_detector: 250 }],
    [249, { finished: 250, unfinished: 1200, without_detector: 250 }],
    [251, { finished: 251, unfinished: 1200, without_detector: 251 }],
    [1200, { finished: 1200, unfinished: 1200, without_detector: 1200 }],
    [2000, { finished: 2000, unfinished: 2000, without_detector: 2000 }],
  ])('silence_hold_ms %d overrides only the end-of-turn waits of the preset', (silence_hold_ms, expected) => {
    const values = turns({ silence_hold_ms });
    expect([values.end_of_turn_ms, values.interruption_threshold_ms]).toEqual([expected, 500]);
  });

  it.each([
    ['en', true, 'fast', undefined, 1],
    ['en-GB', true, 'fast', undefined, 1],
    ['EN_us', true, 'fast', undefined, 1],
    ['eng', true, 'fast', undefined, 0],
    ['de-DE', true, 'fast', undefined, 0],
    ['en', false, 'fast', undefined, 0],
    ['en', true, 'fast', 0, 0],
    ['de', true, 'fast', 3, 3],
    ['en', true, 'slow', undefined, 0],
    ['en', true, 'slow', 3, 0],
    ['en', true, 'unknown to the catalogue', 3, 0],
  ])(
    'min_interruption_words in language %s, hosted %s, transcriber %s, set to %s: %d',
    (language, hosted, model, set, expected) => {
      const values = turns(set === undefined ? {} : { min_interruption_words: set }, {
        language,
        hosted,
        publication: { ...publication, transcriber: { provider: 'ears', model } },
      });
      expect(values.min_interruption_words).toBe(expected);
    },
  );

  it('min_interruption_words depends on the transcriber for the language of the call', () => {
    const two = {
      ...publication,
      profiles: [profile('de'), profile('en-GB', { transcriber: { provider: 'ears', model: 'slow' } })],
    };
    const wordsIn = (language: string) =>
      turns({ min_interruption_words: 2 }, { language, publication: two }).min_interruption_words;
    expect([wordsIn('de-AT'), wordsIn('en-GB')]).toEqual([2, 0]);
  });

  it('min_interruption_words is 0 with a voice-to-voice engine', () => {
    const live = { ...publication, voice_frontend: 'engine_a_live' as const };
    expect(turns({ min_interruption_words: 2 }, { publication: live }).min_interruption_words).toBe(0);
  });

  it.each([
    ['en-US', true, true],
    ['de', true, false],
    ['en', false, false],
  ])('filler words: in %s, hosted %s, "uh-huh" is one: %s', (language, hosted, distinguished) => {
    expect(turns({}, { language, hosted }).filler_words.includes('uh-huh')).toBe(distinguished);
  });

  it('max_call_seconds and no_caller_speech_seconds are applied as set', () => {
    expect(turns({ max_call_seconds: 60, no_caller_speech_seconds: 120 })).toMatchObject({
      max_call_seconds: 60,
      no_caller_speech_seconds: 120,
    });
  });
});

describe('effective opening', () => {
  it.each<[EffectiveInputs['channel'], EffectiveInputs['direction'], AgentOpening | undefined, string, number]>([
    ['phone', 'outbound', undefined, 'callee', 2],
    ['phone', 'outbound', {}, 'callee', 2],
    ['phone', 'outbound', { first_speaker: 'agent', silence_wait_seconds: 5 }, 'agent', 5],
    ['phone', 'outbound', { silence_wait_seconds: 1 }, 'callee', 1],
    ['phone', 'inbound', { first_speaker: 'callee' }, 'agent', 2],
    ['browser', 'outbound', { first_speaker: 'callee' }, 'agent', 2],
  ])(
    'a %s %s call with opening %j: first speaker %s, silence wait %d s',
    (channel, direction, opening, speaker, wait) => {
      const values = effective({ opening }, { channel, direction });
      expect([values.first_speaker, values.silence_wait_seconds]).toEqual([speaker, wait]);
    },
  );
});

describe('the language profile that a call starts with', () => {
  const german = profile('de', {
    greeting: 'Guten Tag',
    voice: { provider: 'mouth', model: 'reported', voice_id: 'w' },
  });
  const profiles = [profile('en'), german, profile('pt-BR', { greeting: 'Oi' })];

  it.each([
    ['is that of the publication if the call has no language', '', 'en', null, 'en'],
    ['is the starting language if the agent follows the language of the caller', '', 'en', 'de', 'de'],
    ['is that of the language of the call', 'de', 'en', null, 'de'],
    ['ignores case and separator of the language', 'PT_br', 'en', null, 'pt-BR'],
    ['is that of the base language if there is none for the region', 'de-AT', 'en', null, 'de'],
    ['is that of the publication for a language without a profile', 'fr', 'en', null, 'en'],
    ['is that of the publication for a base language with a profile only for a region', 'pt', 'en', null, 'en'],
  ])('%s', (_title, language, primary, starting_language, expected) => {
    const values = effective(
      {},
      { language, publication: { ...publication, language: primary, starting_language, profiles } },
    );
    expect(values.profile.locale).toBe(expected);
    expect(values.profile.greeting).toBe({ en: 'Hello', de: 'Guten Tag', 'pt-BR': 'Oi' }[expected]);
  });
});

describe('effective voice polish', () => {
  const polish = (voice_polish: AgentVoicePolish, change: Partial<EffectiveInputs> = {}) =>
    effective({ voice_polish }, change).voice_polish;

  it.each([
    ['paced', 'speed', 0.9],
    ['reported', 'instruction', 'Speak calmly.'],
    ['plain', 'unsupported', null],
    ['unknown', 'unsupported', null],
  ])('delivery calm for the voice %s with delivery control %s is %j', (model, control, value) => {
    const voice = { provider: 'mouth', model, voice_id: 'v' };
    expect(polish({ delivery: 'calm' }, { publication: { ...publication, voice } }).delivery).toEqual({
      chosen: 'calm',
      voices: [{ provider: 'mouth', model, delivery_control: control, value }],
    });
  });

  it('delivery lists each voice of the publication once, that of the call first; none with a voice-to-voice engine', () => {
    const reported = { provider: 'mouth', model: 'reported', voice_id: 'w' };
    const profiles = [profile('en'), profile('fr'), profile('de', { voice: reported })];
    const german = { language: 'de', publication: { ...publication, profiles } };
    expect(polish({ delivery: 'calm' }, german).delivery.voices.map(({ value }) => value)).toEqual([
      'Speak calmly.',
      0.9,
    ]);
    const voice = { ...publication.voice, fallbacks: [reported] };
    expect(polish({ delivery: 'calm' }, { publication: { ...publication, voice } }).delivery.voices).toMatchObject([
      { model: 'paced', value: 0.9 },
      { model: 'reported', value: 'Speak calmly.' },
    ]);
    const live = { ...publication, voice_frontend: 'engine_a_live' as const };
    expect(polish({ delivery: 'calm' }, { publication: live }).delivery).toEqual({ chosen: 'calm', voices: [] });
  });

  it.each([
    ['en-GB', undefined, ['Okay.', 'Right.', 'I see.']],
    ['sv', undefined, []],
    ['sv', ['Mm.'], ['Mm.']],
    ['en', [], ['Okay.', 'Right.', 'I see.']],
  ])('acknowledgement phrases in %s set to %j are %j', (language, phrases, expected) => {
    const acknowledgements = { enabled: true, delay_ms: 600, ...(phrases === undefined ? {} : { phrases }) };
    expect(polish({ acknowledgements }, { language }).acknowledgements).toEqual({
      enabled: true,
      delay_ms: 600,
      phrases: expected,
    });
  });

  it.each<[AgentVoicePolish['tool_wait'], object]>([
    [undefined, { mode: 'off', delay_ms: 1000, phrases: [] }],
    [
      { mode: 'sound', delay_ms: 700 },
      { mode: 'sound', delay_ms: 700, phrases: [], sound_seconds: 15 },
    ],
    [
      { mode: 'acknowledge', phrases: ['Sofort.'] },
      { mode: 'acknowledge', phrases: ['Sofort.'] },
    ],
    [{ mode: 'acknowledge' }, { phrases: ['Einen Moment, bitte.', 'Ich sehe kurz nach.'] }],
    [{ phrases: ['Sofort.'] }, { mode: 'off', phrases: [] }],
  ])('tool_wait set to %j contains %j', (tool_wait, expected) => {
    expect(polish({ tool_wait }, { language: 'de' }).tool_wait).toMatchObject(expected);
  });

  it.each<[AgentVoicePolish['unrecognised_speech'], boolean, object]>([
    [undefined, false, { enabled: true, max_per_call: 2 }],
    [{ enabled: false }, false, { enabled: false }],
    [{ max_per_call: 5, phrase: 'Pardon?' }, false, { enabled: true, max_per_call: 5, phrase: 'Pardon?' }],
    [{ max_per_call: 5 }, true, { enabled: false }],
  ])(
    'unrecognised_speech set to %j, agent follows the language of the caller %s: %j',
    (unrecognised_speech, enabled, expected) => {
      const change = { publication: { ...publication, follow_caller: { enabled } } };
      expect(polish({ unrecognised_speech }, change).unrecognised_speech).toMatchObject(expected);
    },
  );

  it.each([
    [undefined, 30],
    [0, 0],
    [10, 10],
    [120, 120],
  ])('model_unresponsive.seconds set to %s is %d', (seconds, expected) => {
    const model_unresponsive = seconds === undefined ? {} : { seconds };
    expect(polish({ model_unresponsive }).model_unresponsive.seconds).toBe(expected);
  });

  it('model_unresponsive is 0 if a workflow supplies the replies', () => {
    const workflow = { version: 1, sha256: '', definition: { nodes: [], edges: [] } };
    for (const voice_polish of [{}, { model_unresponsive: { seconds: 10 } }])
      expect(effective({ voice_polish, workflow }).voice_polish.model_unresponsive.seconds).toBe(0);
  });

  it.each([
    [undefined, null],
    ['', null],
    ['Goodbye.', 'Goodbye.'],
  ])('end_of_call_phrase set to %j is %j', (end_of_call_phrase, expected) => {
    expect(polish({ end_of_call_phrase }).end_of_call_phrase).toBe(expected);
  });
});

describe('the languages that a call may change to', () => {
  const follows = (enabled: boolean, voice_polish: AgentVoicePolish = {}) =>
    effective(
      {
        voice_polish: { tool_wait: { mode: 'acknowledge' }, ...voice_polish },
        answer_detection: { voicemail_messages: { de: 'Bitte rufen Sie zurück.' } },
      },
      {
        publication: {
          ...publication,
          profiles: ['en-GB', 'de', 'et'].map((locale) => profile(locale)),
          follow_caller: { enabled },
        },
      },
    ).languages;

  it('have their own phrases, filler words and voicemail message', () => {
    const found = follows(true);
    expect(found.map(({ locale, voicemail_message: message }) => [locale, message])).toEqual([
      ['en-GB', null],
      ['de', 'Bitte rufen Sie zurück.'],
      ['et', null],
    ]);
    expect(found.map((one) => one.acknowledgement_phrases[0])).toEqual(['Okay.', 'Okay.', undefined]);
    expect(found.map((one) => one.tool_wait_phrases[0])).toEqual([
      'One moment, please.',
      'Einen Moment, bitte.',
      undefined,
    ]);
    expect(found.map((one) => one.filler_words.length > 0)).toEqual([true, false, false]);
  });

  it('use the phrases of the agent, if it has any', () => {
    const own = follows(true, { acknowledgements: { enabled: true, phrases: ['Aha.'] } });
    expect(own.map((one) => one.acknowledgement_phrases)).toEqual([['Aha.'], ['Aha.'], ['Aha.']]);
  });

  it('are none if the agent does not follow the language of the caller', () => expect(follows(false)).toEqual([]));
});

describe('effective answer detection', () => {
  it.each<[AgentAnswerDetection['voicemail'], string, string]>([
    [undefined, 'shadow', 'shadow'],
    ['shadow', 'shadow', 'shadow'],
    ['hang_up', 'hang_up', 'shadow'],
    ['leave_message', 'leave_message', 'shadow'],
    ['off', 'off', 'off'],
  ])('voicemail set to %s: chosen %s, effective %s', (voicemail, chosen, mode) => {
    expect(effective({ answer_detection: { voicemail } }).answer_detection.voicemail).toEqual({
      chosen,
      effective: mode,
    });
  });

  it.each<[AgentAnswerDetection['non_human_audio'], string]>([
    [undefined, 'shadow'],
    ['end_call', 'end_call'],
    ['off', 'off'],
  ])('non_human_audio set to %s is %s', (non_human_audio, expected) => {
    expect(effective({ answer_detection: { non_human_audio } }).answer_detection.non_human_audio).toBe(expected);
  });

  it.each([
    ['de-AT', 'Hallo'],
    ['fr', null],
  ])('the voicemail message for the language %s is %j', (language, expected) => {
    const answer_detection = { voicemail_messages: { de: 'Hallo' } };
    expect(effective({ answer_detection }, { language }).answer_detection.voicemail_message).toBe(expected);
  });
});

describe('effective navigation of phone menus', () => {
  it.each<[string, AgentNavigation | undefined, NavigationIneligibleReason | null, Partial<EffectiveInputs>, boolean]>([
    ['is active by default', undefined, null, {}, true],
    ['is active with enabled: null', { enabled: null }, null, {}, true],
    ['is active with enabled: true', { enabled: true }, null, {}, true],
    ['is inactive with enabled: false', { enabled: false }, 'turned_off', {}, false],
    ['is inactive if the agent is not eligible', { enabled: true }, 'no_language', {}, false],
    ['is inactive in incoming calls', { enabled: true }, null, { direction: 'inbound' }, false],
    ['is inactive in browser calls', { enabled: true }, null, { channel: 'browser' }, false],
  ])('%s', (_title, navigation, navigation_ineligible_reason, change, active) => {
    const values = effective({ navigation, navigation_ineligible_reason }, change).navigation;
    expect([values.active, values.tools.length]).toEqual([active, active ? 3 : 0]);
  });

  it('applies limits that were set, and defaults for the others', () => {
    expect(effective({ navigation: { enabled: true, max_hold_seconds: 3600 } }).navigation).toMatchObject({
      max_hold_seconds: 3600,
      max_navigation_seconds: 180,
    });
  });
});

describe('effective audio environment', () => {
  const ofThePast = JSON.parse('{"preset":"a preset of the past"}') as AgentAudioEnvironment;

  it.each<[AgentAudioEnvironment | undefined, object]>([
    [
      { preset: 'none', volume: 1 },
      { preset: 'none', volume: 0 },
    ],
    [{ preset: 'office' }, { preset: 'office', volume: 0.5 }],
    [
      { preset: 'street', volume: 0 },
      { preset: 'street', volume: 0 },
    ],
    [ofThePast, { preset: 'none', volume: 0 }],
  ])('set to %j is %j', (audio_environment, expected) => {
    expect(effective({ audio_environment }).audio_environment).toEqual(expected);
  });
});
