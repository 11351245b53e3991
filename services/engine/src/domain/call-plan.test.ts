import { planOf } from './call-plan';
import { plainConduct } from './conduct';

type Job = Parameters<typeof planOf>[0];

const jobOf = (configuration: Record<string, unknown>, call: Partial<Job['call']> = {}): Job =>
  ({ call: { direction: 'outbound', language: null, ...call }, runtime_configuration: configuration }) as Job;

describe('the plan of a job', () => {
  it('8 defaults: follows them where the platform says nothing', () => {
    expect(planOf(jobOf({}))).toEqual({
      firstSpeaker: 'callee',
      silenceWaitMs: 2_000,
      maxCallMs: 1_740_000,
      noCallerSpeechMs: 20_000,
      interruptionMs: 500,
      interruptionWords: 0,
      endOfTurnMs: 800,
      nonHumanAudio: 'shadow',
      voicemail: 'shadow',
      voicemailChosen: 'shadow',
      fillers: [],
      conduct: plainConduct,
      greeting: '',
      language: '',
    });
  });

  it('takes the effective values', () => {
    const effective = {
      first_speaker: 'agent',
      silence_wait_seconds: 1.5,
      max_call_seconds: 60,
      no_caller_speech_seconds: 10,
      interruption_threshold_ms: 750,
      min_interruption_words: 1,
      end_of_turn_ms: 1100,
      non_human_audio: 'end_call',
      voicemail: { chosen: 'off', effective: 'off' },
    };
    expect(planOf(jobOf({ effective }))).toMatchObject({
      firstSpeaker: 'agent',
      silenceWaitMs: 1_500,
      maxCallMs: 60_000,
      noCallerSpeechMs: 10_000,
      interruptionMs: 750,
      interruptionWords: 1,
      endOfTurnMs: 1_100,
      nonHumanAudio: 'end_call',
      voicemail: 'off',
    });
  });

  it('takes the hold without the detector where the holds come together', () => {
    const effective = { end_of_turn_ms: { finished: 600, unfinished: 1200, without_detector: 700 } };
    expect(planOf(jobOf({ effective })).endOfTurnMs).toBe(700);
  });

  it.each([
    [149, 150],
    [150, 150],
    [151, 151],
  ])(
    '2.6 min_speech_ms on the phone: an interruption threshold of %i ms is honoured as %i on a phone call',
    (given, honoured) => {
      expect(planOf(jobOf({ effective: { interruption_threshold_ms: given } })).interruptionMs).toBe(honoured);
    },
  );

  it('2.6 opening of an inbound call: stays the normal one', () => {
    expect(planOf(jobOf({ effective: { first_speaker: 'callee' } }, { direction: 'inbound' })).firstSpeaker).toBe(
      'agent',
    );
  });

  const publication = {
    language: 'en-US',
    starting_language: null,
    first_message: 'Hello {{name}}, this is {{ brand }}{{missing}}.',
    profiles: [
      { locale: 'de-DE', greeting: 'Guten Tag {{name}}.' },
      { locale: 'fr-FR', greeting: null },
    ],
  };
  const variables = { name: 'Sam', brand: 7, missing: null };

  it.each([
    [null, 'Hello Sam, this is 7.', 'en-US'],
    ['de-DE', 'Guten Tag Sam.', 'de-DE'],
    ['fr-FR', 'Hello Sam, this is 7.', 'fr-FR'],
  ])('a call in %s is greeted with %j', (language, greeting, expected) => {
    expect(planOf(jobOf({ publication, variables }, { language }))).toMatchObject({ greeting, language: expected });
  });
});
