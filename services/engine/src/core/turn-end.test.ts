import { sensitivityPresets } from '@parley/contract';
import { Conversation } from '../../test/conversation';
import type { CallPlan } from './plan';

const delay = (ms: number): Partial<CallPlan> => ({
  endOfTurn: { finished: ms, unfinished: ms, withoutDetector: ms },
  speculates: false,
});

describe('AgentTurnTaking: the delay before the end of a turn', () => {
  const rows = Object.entries(sensitivityPresets).flatMap(
    ([preset, { finishedMs, unfinishedMs, withoutDetectorMs }]) => {
      const endOfTurn = { finished: finishedMs, unfinished: unfinishedMs, withoutDetector: withoutDetectorMs };
      return [
        [preset, 'no hint', undefined, withoutDetectorMs, endOfTurn],
        [preset, 'a hint of 0.5', 0.5, finishedMs, endOfTurn],
        [preset, 'a hint of 1', 1, finishedMs, endOfTurn],
        [preset, 'a hint of 0.49', 0.49, unfinishedMs, endOfTurn],
        [preset, 'a hint of 0', 0, unfinishedMs, endOfTurn],
      ] as const;
    },
  );

  it.each(rows)(
    '%s with %s: %s: the turn ends %d ms after the last voice, not earlier',
    (_, _title, hint, ms, endOfTurn) => {
      for (const hintAt of ['before the end of speech', 'in the pause']) {
        const call = Conversation.opened({ endOfTurn, speculates: false }).at(2_000, {
          type: 'speech_started',
          since: 2_000,
        });
        const hints = hint === undefined ? [] : [{ type: 'turn_hint', finished: hint } as const];
        if (hintAt === 'before the end of speech') call.at(2_600, ...hints);
        call.at(2_750, { type: 'speech_ended', lastVoice: 2_500 }, call.final('Well'));
        if (hintAt === 'in the pause') call.at(2_750, ...hints);
        expect(call.at(2_500 + ms - 1).count('start_model')).toBe(0);
        expect(call.at(2_500 + ms).count('start_model')).toBe(1);
      }
    },
  );

  it('counts a hint for its pause alone', () => {
    const endOfTurn = { finished: 300, unfinished: 1_800, withoutDetector: 800 };
    const call = Conversation.opened({ endOfTurn, speculates: false })
      .at(2_000, { type: 'speech_started', since: 2_000 }, { type: 'turn_hint', finished: 0 })
      .at(2_500, { type: 'speech_started', since: 2_500 })
      .at(2_600, { type: 'speech_ended', lastVoice: 2_600 })
      .at(2_700, { type: 'speech_started', since: 2_700 })
      .at(3_000, { type: 'speech_ended', lastVoice: 3_000 });
    call.at(3_000, call.final('Well'));
    expect(call.at(3_799).count('start_model')).toBe(0);
    expect(call.at(3_800).count('start_model')).toBe(1);
  });

  it('a hint that comes once the silence was long enough, and before the words, makes it longer', () => {
    const endOfTurn = { finished: 300, unfinished: 1_800, withoutDetector: 800 };
    const call = Conversation.opened({ endOfTurn, speculates: false })
      .at(2_000, { type: 'speech_started', since: 2_000 })
      .at(2_500, { type: 'speech_ended', lastVoice: 2_500 })
      .at(3_400, { type: 'turn_hint', finished: 0 });
    call.at(3_450, call.final('Well'));
    expect(call.at(4_299).count('start_model')).toBe(0);
    expect(call.at(4_300).count('start_model')).toBe(1);
  });
});

describe('the end of a turn', () => {
  it.each([
    ['the delay is the last', 2_550, 2_560, 800, 3_300],
    ['the report of the detector is the last', 2_750, 2_560, 100, 2_750],
    ['the final transcript is the last', 2_750, 3_900, 800, 3_900],
  ])('%s', (_, reported, transcribed, ms, expected) => {
    const call = Conversation.opened(delay(ms)).at(2_000, { type: 'speech_started', since: 2_000 });
    const ended = { type: 'speech_ended', lastVoice: 2_500 } as const;
    if (reported < transcribed) call.at(reported, ended).at(transcribed, call.final('Well'));
    else call.at(transcribed, call.final('Well')).at(reported, ended);
    expect(call.at(expected + 1_000).when('start_model')).toBe(expected);
  });

  it('takes a final that came after the last voice and before the report of it for the words of that speech', () => {
    const call = Conversation.opened(delay(800)).at(2_000, { type: 'speech_started', since: 2_000 });
    call.at(2_600, call.final('Well')).at(2_750, { type: 'speech_ended', lastVoice: 2_500 });
    expect(call.count('finalize_transcript')).toBe(0);
    expect(call.at(3_300).count('start_model')).toBe(1);
  });

  it('asks for the final transcript if the last final came before the last voice', () => {
    const call = Conversation.opened(delay(800)).at(2_000, { type: 'speech_started', since: 2_000 });
    call.at(2_400, call.final('I would like')).at(2_750, { type: 'speech_ended', lastVoice: 2_500 });
    expect(call.count('finalize_transcript')).toBe(1);
    expect(call.at(3_400).count('start_model')).toBe(0);
    call.at(3_500, call.final(''));
    expect(call.last('start_model').history.at(-1)).toEqual({ role: 'user', text: 'I would like' });
  });

  it('joins what a shorter pause parts', () => {
    const call = Conversation.opened(delay(800))
      .says('I would like', 2_000, 2_500)
      .says('to book a table.', 3_299, 4_000);
    call.at(4_800);
    expect(call.all('start_model')).toHaveLength(1);
    expect(call.state.transcript.at(-1)).toEqual({
      turn_id: 'turn_3',
      speaker: 'caller',
      text: 'I would like to book a table.',
      started_ms: 2_000,
      ended_ms: 4_000,
      language: 'en-US',
    });
  });

  it('a turn without a word is not answered', () => {
    expect(Conversation.opened(delay(800)).says('  ', 2_000, 2_500).at(9_000).count('start_model')).toBe(0);
  });
});

describe('a line whose audio comes late', () => {
  const line = (received: number) => Conversation.opened(delay(800), { received });

  it('ends no turn beyond the audio that was received', () => {
    const call = line(0).at(2_750, { type: 'tick', received: 2_750 }, { type: 'speech_started', since: 2_000 });
    call.at(2_750, { type: 'speech_ended', lastVoice: 2_500 }, call.final('Well'));
    expect(call.at(3_400, { type: 'tick', received: 3_299 }).count('start_model')).toBe(0);
    expect(call.at(3_700, { type: 'tick', received: 3_300 }).when('start_model')).toBe(3_700);
  });

  it('interrupts no one with speech that may have ended in what was not received', () => {
    const call = Conversation.answered({ firstSpeaker: 'agent' }, { received: 0 });
    call.at(1_200, { type: 'tick', received: 1_200 }, { type: 'speech_started', since: 1_000 });
    expect(call.at(1_900, { type: 'tick', received: 1_499 }).count('stop_utterance')).toBe(0);
    call.at(1_950, { type: 'speech_ended', lastVoice: 1_400 });
    expect(call.at(3_000, { type: 'tick', received: 3_000 }).count('stop_utterance')).toBe(0);
  });

  it('speaks first only if the silence was received', () => {
    const call = Conversation.answered({}, { received: 0 });
    expect(call.at(2_400, { type: 'tick', received: 1_999 }).count('start_utterance')).toBe(0);
    expect(call.at(2_450, { type: 'tick', received: 2_000 }).count('start_utterance')).toBe(1);
  });

  it.each([
    [9_999, undefined],
    [10_000, 'carrier_failure'],
  ])('that carries nothing for %d ms: the call ended with %s', (ms, reason) => {
    const call = line(0).at(1_500, { type: 'tick', received: 1_500 });
    expect(call.at(1_500 + ms).ended).toBe(reason);
  });
});

describe('a transcript that does not come', () => {
  const spoke = (change: Partial<CallPlan> = {}) =>
    Conversation.opened({ ...delay(800), ...change }).at(2_000, { type: 'speech_started', since: 2_000 });

  it.each([
    [5_749, 0],
    [5_750, 1],
  ])('at %d ms: with partials the last one counts as the final: %d', (now, asked) => {
    const call = spoke();
    call.at(2_300, call.partial('I want')).at(2_450, call.partial('I want a table'));
    call.at(2_750, { type: 'speech_ended', lastVoice: 2_500 }).at(now);
    expect(call.count('start_model')).toBe(asked);
    if (asked > 0) expect(call.last('start_model').history.at(-1)).toEqual({ role: 'user', text: 'I want a table' });
  });

  it('a final that comes after that belongs to the closed turn', () => {
    const call = spoke();
    call.at(2_300, call.partial('I want')).at(2_750, { type: 'speech_ended', lastVoice: 2_500 }).at(6_000);
    call.at(6_100, call.final('I want it')).at(8_000);
    expect(call.all('start_model')).toHaveLength(1);
  });

  it.each([
    ['asked for again', { most: 1, phrase: 'Pardon?' }, 5_749, []],
    ['asked for again', { most: 1, phrase: 'Pardon?' }, 5_750, ['Pardon?']],
    ['not asked for again where that is off', null, 20_000, []],
  ] as const)('without words the turn closes unheard: it is %s (%j, at %d ms)', (_, unrecognised, now, said) => {
    const conduct = { ...Conversation.opened().state.plan.conduct, unrecognised };
    const call = spoke({ conduct }).at(2_750, { type: 'speech_ended', lastVoice: 2_500 }).at(now);
    expect([call.said.slice(1), call.count('start_model')]).toEqual([said, 0]);
  });

  it.each([
    [15_749, undefined],
    [15_750, 'agent_unresponsive'],
  ])('without a transcript: the deadline of the model bounds the silence (at %d ms: %s)', (now, reason) => {
    const conduct = { ...Conversation.opened().state.plan.conduct, modelUnresponsiveMs: 10_000 };
    const call = spoke({ conduct }).at(2_750, { type: 'speech_ended', lastVoice: 2_500 });
    expect(call.at(now).ended).toBe(reason);
  });

  it('words that come after their turn was closed without them are answered', () => {
    const call = spoke().at(2_500, { type: 'speech_ended', lastVoice: 2_500 }).at(9_000);
    expect(call.count('start_model')).toBe(0);
    call.at(9_100, call.final('Well'));
    expect(call.last('start_model').history.at(-1)).toEqual({ role: 'user', text: 'Well' });
    expect(call.state.transcript.at(-1)).toMatchObject({ text: 'Well', started_ms: 2_500, ended_ms: 2_500 });
  });

  it('a failed transcriber loses the words that were under way, and is opened again three times in a row', () => {
    const call = spoke();
    for (let nth = 1; nth <= 4; nth += 1) call.at(2_100 + nth, { type: 'transcriber_failed', retry: true });
    expect(call.all('reopen_transcriber').map(({ retry }) => retry)).toEqual([1, 2, 3]);
  });

  it.each([
    [12_099, undefined],
    [12_100, 'agent_unresponsive'],
  ])('a transcriber that does not listen again: at %d ms the call ended with %s', (now, reason) => {
    const call = spoke().at(2_100, { type: 'transcriber_failed', retry: false });
    expect(call.at(now).ended).toBe(reason);
    const other = spoke()
      .at(2_100, { type: 'transcriber_failed', retry: true })
      .at(2_200, { type: 'transcriber_opened' });
    expect(other.at(now).ended).toBeUndefined();
  });
});
