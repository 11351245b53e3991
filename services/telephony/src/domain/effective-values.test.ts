import type { AgentOpening, AgentTurnTaking } from '@parley/contract';
import { effectiveValues, type EffectiveInputs } from './effective-values';

const effective = (turn_taking: AgentTurnTaking = {}, change: Partial<EffectiveInputs> = {}) =>
  effectiveValues({
    direction: 'outbound',
    hosted: true,
    language: 'en-US',
    wordsArriveFast: true,
    tuning: { turn_taking },
    ...change,
  });

describe('2.6: effective values of a phone call', () => {
  it.each([
    ['balanced', 500, 600, 1200, 800],
    ['low', 750, 900, 1800, 1100],
    ['high', 150, 260, 600, 600],
  ] as const)('2.6 presets: %s', (interruption_sensitivity, interruption, finished, unfinished, without_detector) => {
    expect(effective({ interruption_sensitivity })).toMatchObject({
      interruption_threshold_ms: interruption,
      end_of_turn_ms: { finished, unfinished, without_detector },
    });
  });

  it('2.6 presets, 8 defaults: an agent without tuning is balanced, with the documented limits', () => {
    expect(
      effectiveValues({ direction: 'outbound', hosted: true, language: 'de', wordsArriveFast: true, tuning: {} }),
    ).toEqual({
      first_speaker: 'callee',
      silence_wait_seconds: 2,
      max_call_seconds: 1740,
      no_caller_speech_seconds: 20,
      interruption_threshold_ms: 500,
      min_interruption_words: 0,
      end_of_turn_ms: { finished: 600, unfinished: 1200, without_detector: 800 },
    });
  });

  it.each([
    [80, 150],
    [149, 150],
    [150, 150],
    [151, 151],
    [2000, 2000],
  ])('2.6 min_speech_ms on the phone: %d is honoured as %d, over any preset', (min_speech_ms, expected) => {
    const values = effective({ interruption_sensitivity: 'low', min_speech_ms });
    expect(values.interruption_threshold_ms).toBe(expected);
    expect(values.end_of_turn_ms.finished).toBe(900);
  });

  it.each([
    [100, { finished: 250, unfinished: 1200, without_detector: 250 }],
    [249, { finished: 250, unfinished: 1200, without_detector: 250 }],
    [251, { finished: 251, unfinished: 1200, without_detector: 251 }],
    [1200, { finished: 1200, unfinished: 1200, without_detector: 1200 }],
    [2000, { finished: 2000, unfinished: 2000, without_detector: 2000 }],
  ])('2.6 explicit values override: silence_hold_ms %d the hold alone', (silence_hold_ms, expected) => {
    const values = effective({ silence_hold_ms });
    expect([values.end_of_turn_ms, values.interruption_threshold_ms]).toEqual([expected, 500]);
  });

  it.each([
    ['en', true, true, undefined, 1],
    ['en-GB', true, true, undefined, 1],
    ['EN_us', true, true, undefined, 1],
    ['eng', true, true, undefined, 0],
    ['de-DE', true, true, undefined, 0],
    ['en', false, true, undefined, 0],
    ['en', true, true, 0, 0],
    ['de', true, true, 3, 3],
    ['en', true, false, undefined, 0],
    ['en', true, false, 3, 0],
  ])(
    '2.6 default words: language %s, hosted %s, fast words %s, set %s: %d words',
    (language, hosted, wordsArriveFast, set, expected) => {
      const turns = set === undefined ? {} : { min_interruption_words: set };
      expect(effective(turns, { language, hosted, wordsArriveFast }).min_interruption_words).toBe(expected);
    },
  );

  it.each<[EffectiveInputs['direction'], AgentOpening | undefined, string, number]>([
    ['outbound', undefined, 'callee', 2],
    ['outbound', {}, 'callee', 2],
    ['outbound', { first_speaker: 'agent', silence_wait_seconds: 5 }, 'agent', 5],
    ['outbound', { silence_wait_seconds: 1 }, 'callee', 1],
    ['inbound', { first_speaker: 'callee' }, 'agent', 2],
  ])('2.6 opening of an %s call with %j: %s after %d s', (direction, opening, speaker, wait) => {
    const values = effective({}, { direction, tuning: { opening } });
    expect([values.first_speaker, values.silence_wait_seconds]).toEqual([speaker, wait]);
  });

  it('explicit limits stand', () => {
    expect(effective({ max_call_seconds: 60, no_caller_speech_seconds: 120 })).toMatchObject({
      max_call_seconds: 60,
      no_caller_speech_seconds: 120,
    });
  });
});
