import { sensitivityPresets } from '@parley/contract';
import { Conversation } from '../../test/conversation';
import type { CallInput } from './inputs';
import type { CallPlan } from './plan';

const delay = (ms: number): Partial<CallPlan> => ({
  endOfTurn: { finished: ms, unfinished: ms, withoutDetector: ms },
  speculates: false,
});

describe('delay before the end of a turn', () => {
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
    'preset %s with %s (%s): the turn ends %d ms after the last speech, not earlier',
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

  const judged = Object.entries(sensitivityPresets).flatMap(
    ([preset, { finishedMs, unfinishedMs, withoutDetectorMs }]) => {
      const endOfTurn = { finished: finishedMs, unfinished: unfinishedMs, withoutDetector: withoutDetectorMs };
      return [
        [preset, undefined, withoutDetectorMs, endOfTurn],
        [preset, 0.5, finishedMs, endOfTurn],
        [preset, 0.49, unfinishedMs, endOfTurn],
      ] as const;
    },
  );

  it.each(judged)(
    'preset %s with words that are judged finished with %s: the turn ends %d ms after the last speech, not earlier',
    (_, probability, ms, endOfTurn) => {
      for (const type of ['while the caller speaks', 'in the pause']) {
        const call = Conversation.opened({ endOfTurn, speculates: false });
        call.at(2_000, { type: 'speech_started', since: 2_000 });
        const words = { ...call.final('Well'), ...(probability !== undefined && { judged: probability }) } as CallInput;
        if (type === 'while the caller speaks') call.at(2_500, words);
        call.at(2_750, { type: 'speech_ended', lastVoice: 2_500 });
        if (type === 'in the pause') call.at(2_755, words);
        expect(call.at(2_500 + ms - 1).count('start_model')).toBe(0);
        expect(call.at(2_500 + ms).count('start_model')).toBe(1);
      }
    },
  );

  it.each([
    [0.9, 0.1, 600],
    [0.1, 0.9, 1_200],
  ])('a hint of %d counts more than words that are judged with %d', (finished, probability, ms) => {
    const endOfTurn = { finished: 600, unfinished: 1_200, withoutDetector: 800 };
    const call = Conversation.opened({ endOfTurn, speculates: false });
    call.at(2_000, { type: 'speech_started', since: 2_000 });
    call.at(2_750, { type: 'speech_ended', lastVoice: 2_500 }, { type: 'turn_hint', finished });
    call.at(2_760, { ...call.final('Well'), judged: probability } as CallInput);
    expect(call.at(2_500 + ms - 1).count('start_model')).toBe(0);
    expect(call.at(2_500 + ms).count('start_model')).toBe(1);
  });

  it('words that arrive after the delay and are judged unfinished extend it', () => {
    const endOfTurn = { finished: 600, unfinished: 1_800, withoutDetector: 800 };
    const call = Conversation.opened({ endOfTurn, speculates: false });
    call.at(2_000, { type: 'speech_started', since: 2_000 }).at(2_750, { type: 'speech_ended', lastVoice: 2_500 });
    call.at(3_400, { ...call.final('I would like to'), judged: 0.1 } as CallInput);
    expect(call.at(4_299).count('start_model')).toBe(0);
    expect(call.at(4_300).count('start_model')).toBe(1);
  });

  it('the words of the last result decide, also after a pause in the turn', () => {
    const endOfTurn = { finished: 600, unfinished: 1_800, withoutDetector: 800 };
    const call = Conversation.opened({ endOfTurn, speculates: false });
    call.at(2_000, { type: 'speech_started', since: 2_000 }).at(2_750, { type: 'speech_ended', lastVoice: 2_500 });
    call.at(2_760, { ...call.final('I would like to'), judged: 0.1 } as CallInput);
    call.at(3_500, { type: 'speech_started', since: 3_500 }).at(4_250, { type: 'speech_ended', lastVoice: 4_000 });
    call.at(4_260, { ...call.final('book a table'), judged: 0.9 } as CallInput);
    expect(call.at(4_599).count('start_model')).toBe(0);
    expect(call.at(4_600).count('start_model')).toBe(1);
  });

  it('a hint applies only to the pause in which it arrives', () => {
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

  it('a hint that arrives after the delay, but before the words, extends the delay', () => {
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

describe('end of a turn', () => {
  it.each([
    ['is at the end of the delay, if that is last', 2_550, 2_560, 800, 3_300],
    ['is when the end of speech is reported, if that is last', 2_750, 2_560, 100, 2_750],
    ['is when the final transcript arrives, if that is last', 2_750, 3_900, 800, 3_900],
  ])('%s', (_, reported, transcribed, ms, expected) => {
    const call = Conversation.opened(delay(ms)).at(2_000, { type: 'speech_started', since: 2_000 });
    const ended = { type: 'speech_ended', lastVoice: 2_500 } as const;
    if (reported < transcribed) call.at(reported, ended).at(transcribed, call.final('Well'));
    else call.at(transcribed, call.final('Well')).at(reported, ended);
    expect(call.at(expected + 1_000).when('start_model')).toBe(expected);
  });

  it('uses a final transcript that arrives between the end of speech and its report', () => {
    const call = Conversation.opened(delay(800)).at(2_000, { type: 'speech_started', since: 2_000 });
    call.at(2_600, call.final('Well')).at(2_750, { type: 'speech_ended', lastVoice: 2_500 });
    expect(call.count('finalize_transcript')).toBe(0);
    expect(call.at(3_300).count('start_model')).toBe(1);
  });

  it('requests the final transcript if the last one is from before the end of speech', () => {
    const call = Conversation.opened(delay(800)).at(2_000, { type: 'speech_started', since: 2_000 });
    call.at(2_400, call.final('I would like')).at(2_750, { type: 'speech_ended', lastVoice: 2_500 });
    expect(call.count('finalize_transcript')).toBe(1);
    expect(call.at(3_400).count('start_model')).toBe(0);
    call.at(3_500, call.final(''));
    expect(call.last('start_model').history.at(-1)).toEqual({ role: 'user', text: 'I would like' });
  });

  it('joins speech that is separated by a pause shorter than the delay', () => {
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

  it('does not request the model for a turn without words', () => {
    expect(Conversation.opened(delay(800)).says('  ', 2_000, 2_500).at(9_000).count('start_model')).toBe(0);
  });
});

describe('a line with delayed audio', () => {
  const line = (received: number) => Conversation.opened(delay(800), { received });

  it('ends a turn only when enough audio was received', () => {
    const call = line(0).at(2_750, { type: 'tick', received: 2_750 }, { type: 'speech_started', since: 2_000 });
    call.at(2_750, { type: 'speech_ended', lastVoice: 2_500 }, call.final('Well'));
    expect(call.at(3_400, { type: 'tick', received: 3_299 }).count('start_model')).toBe(0);
    expect(call.at(3_700, { type: 'tick', received: 3_300 }).when('start_model')).toBe(3_700);
  });

  it('does not interrupt the agent with speech whose audio was not received', () => {
    const call = Conversation.answered({ firstSpeaker: 'agent' }, { received: 0 });
    call.at(1_200, { type: 'tick', received: 1_200 }, { type: 'speech_started', since: 1_000 });
    expect(call.at(1_900, { type: 'tick', received: 1_499 }).count('stop_utterance')).toBe(0);
    call.at(1_950, { type: 'speech_ended', lastVoice: 1_400 });
    expect(call.at(3_000, { type: 'tick', received: 3_000 }).count('stop_utterance')).toBe(0);
  });

  it('lets the agent speak first only if the audio of the silence was received', () => {
    const call = Conversation.answered({}, { received: 0 });
    expect(call.at(2_400, { type: 'tick', received: 1_999 }).count('start_utterance')).toBe(0);
    expect(call.at(2_450, { type: 'tick', received: 2_000 }).count('start_utterance')).toBe(1);
  });

  it.each([
    [19_999, undefined],
    [20_000, 'carrier_failure'],
  ])('that delivers no audio for %d ms: the end reason is %s', (ms, reason) => {
    const call = Conversation.answered({ noCallerSpeechMs: 120_000 }, { received: 0 });
    call.at(1_500, { type: 'tick', received: 1_500 });
    expect(call.at(1_500 + ms).ended).toBe(reason);
  });
});

describe('missing transcripts', () => {
  const spoke = (change: Partial<CallPlan> = {}) =>
    Conversation.opened({ ...delay(800), ...change }).at(2_000, { type: 'speech_started', since: 2_000 });

  it.each([
    [5_749, 0],
    [5_750, 1],
  ])(
    'after the wait, the last partial transcript is used as the final: at %d ms there were %d model requests',
    (now, asked) => {
      const call = spoke();
      call.at(2_300, call.partial('I want')).at(2_450, call.partial('I want a table'));
      call.at(2_750, { type: 'speech_ended', lastVoice: 2_500 }).at(now);
      expect(call.count('start_model')).toBe(asked);
      if (asked > 0) expect(call.last('start_model').history.at(-1)).toEqual({ role: 'user', text: 'I want a table' });
    },
  );

  it('a final transcript that arrives later belongs to the closed turn', () => {
    const call = spoke();
    call.at(2_300, call.partial('I want')).at(2_750, { type: 'speech_ended', lastVoice: 2_500 }).at(6_000);
    call.at(6_100, call.final('I want it')).at(8_000);
    expect(call.all('start_model')).toHaveLength(1);
  });

  it.each([
    ['asked to repeat', { most: 1, phrase: 'Pardon?' }, 5_749, []],
    ['asked to repeat', { most: 1, phrase: 'Pardon?' }, 5_750, ['Pardon?']],
    ['not asked to repeat if that is off', null, 20_000, []],
  ] as const)(
    'a turn without words is closed: the caller is %s (unrecognised_speech %j, at %d ms)',
    (_, unrecognised, now, said) => {
      const conduct = { ...Conversation.opened().state.plan.conduct, unrecognised };
      const call = spoke({ conduct }).at(2_750, { type: 'speech_ended', lastVoice: 2_500 }).at(now);
      expect([call.said.slice(1), call.count('start_model')]).toEqual([said, 0]);
    },
  );

  it.each([
    [15_749, undefined],
    [15_750, 'agent_unresponsive'],
  ])('without a transcript, model_unresponsive limits the silence: at %d ms the end reason is %s', (now, reason) => {
    const conduct = { ...Conversation.opened().state.plan.conduct, modelUnresponsiveMs: 10_000 };
    const call = spoke({ conduct }).at(2_750, { type: 'speech_ended', lastVoice: 2_500 });
    expect(call.at(now).ended).toBe(reason);
  });

  it('words that arrive after their turn was closed are answered', () => {
    const call = spoke().at(2_500, { type: 'speech_ended', lastVoice: 2_500 }).at(9_000);
    expect(call.count('start_model')).toBe(0);
    call.at(9_100, call.final('Well'));
    expect(call.last('start_model').history.at(-1)).toEqual({ role: 'user', text: 'Well' });
    expect(call.state.transcript.at(-1)).toMatchObject({ text: 'Well', started_ms: 2_500, ended_ms: 2_500 });
  });

  it('a failed transcriber is reopened at most three times in a row', () => {
    const call = spoke();
    for (let nth = 1; nth <= 4; nth += 1) call.at(2_100 + nth, { type: 'transcriber_failed', retry: true });
    expect(call.all('reopen_transcriber').map(({ retry }) => retry)).toEqual([1, 2, 3]);
  });

  it.each([
    [12_099, undefined],
    [12_100, 'agent_unresponsive'],
  ])('a transcriber that is not reopened: at %d ms the end reason is %s', (now, reason) => {
    const call = spoke().at(2_100, { type: 'transcriber_failed', retry: false });
    expect(call.at(now).ended).toBe(reason);
    const other = spoke()
      .at(2_100, { type: 'transcriber_failed', retry: true })
      .at(2_200, { type: 'transcriber_opened' });
    expect(other.at(now).ended).toBeUndefined();
  });
});
