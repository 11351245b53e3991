import { Conversation, tool } from '../../test/conversation';
import type { CallPlan } from './plan';
import { longestWaits, mostToolRounds } from './waits';

const started = (since: number) => ({ type: 'speech_started', since }) as const;
const ended = (lastVoice: number) => ({ type: 'speech_ended', lastVoice }) as const;
const delay = { finished: 600, unfinished: 1_200, withoutDetector: 800 };

describe('generation during the turn-end delay', () => {
  /** The caller speaks from 2,000 to 2,500, reported at 2,750; the delay ends at 3,300. */
  const paused = (change: Partial<CallPlan> = {}) =>
    Conversation.opened({ endOfTurn: delay, ...change }).at(2_000, started(2_000));

  it('asks the model when speech ends with words, and confirms it when the turn ends with the same', () => {
    const call = paused().at(2_300, { type: 'partial', segment: 1, text: 'What does it cost' });
    call.at(2_750, ended(2_500));
    expect(call.last('start_model')).toMatchObject({
      speculative: true,
      history: [{ role: 'assistant' }, { role: 'user', text: 'What does it cost' }],
    });
    call.at(3_000, call.final('What does it cost?')).at(3_299);
    expect(call.count('confirm_model')).toBe(0);
    call.at(3_300);
    expect([call.count('start_model'), call.last('confirm_model').attempt]).toEqual([1, call.attempt]);
    expect(call.state.transcript.at(-1)?.text).toBe('What does it cost?');
  });

  it('asks when the words come, if they come after the end of speech', () => {
    const call = paused().at(2_750, ended(2_500));
    expect(call.count('start_model')).toBe(0);
    expect(call.at(2_900, call.final('Hello')).when('start_model')).toBe(2_900);
  });

  it('keeps what is spoken held until the turn has ended', () => {
    const call = paused().at(2_750, ended(2_500));
    call.at(2_900, call.final('Hello')).replies(3_000, 'Hi.');
    expect(call.last('start_utterance').held).toBe(true);
    expect(call.at(3_299).count('release_utterance')).toBe(0);
    expect(call.at(3_300).when('release_utterance')).toBe(3_300);
    expect(call.spoken(4_000).state.transcript.at(-1)).toMatchObject({
      started_ms: 3_300,
      latency: { end_of_turn_hold_ms: 800, transcript_ms: 0, model_first_ms: 100, speech_first_ms: 0, total_ms: 800 },
    });
  });

  it('cancels an attempt when the words change, and asks again', () => {
    const call = paused().at(2_300, { type: 'partial', segment: 1, text: 'I want' });
    call.at(2_750, ended(2_500)).replies(2_800, 'What?');
    call.at(3_000, call.final('I want a table'));
    expect(call.types().slice(-2)).toEqual(['stop_utterance', 'start_model']);
    expect(call.at(3_300).last('confirm_model').attempt).toBe(2);
  });

  it('cancels an attempt that is not complete', () => {
    const call = paused().at(2_300, { type: 'partial', segment: 1, text: 'I want' }).at(2_750, ended(2_500));
    expect(call.at(3_000, call.final('I want a table')).last('cancel_model').attempt).toBe(1);
  });

  it('goes on if the caller speaks again without a word, and not if there are words', () => {
    const call = paused().at(2_750, ended(2_500));
    call.at(2_900, call.final('Hello')).at(3_000, started(3_000)).at(3_100, ended(3_050), call.final(''));
    expect(call.at(3_849).count('confirm_model')).toBe(0);
    expect([call.at(3_850).count('confirm_model'), call.count('start_model')]).toEqual([1, 1]);
    const other = paused().at(2_750, ended(2_500));
    other.at(2_900, other.final('Hello')).at(3_000, started(3_000)).at(3_200, other.partial('there'));
    expect(other.count('cancel_model')).toBe(1);
  });

  it('never calls a tool before the turn has ended', () => {
    const call = paused().at(2_750, ended(2_500));
    call.at(2_900, call.final('Hello')).replies(3_000, '', tool('look_up'));
    expect(call.at(3_299).count('call_tool')).toBe(0);
    expect(call.at(3_300).when('call_tool')).toBe(3_300);
  });

  it('is off if the plan says so, and if a hint says that the caller has not finished', () => {
    const call = paused({ speculates: false }).at(2_750, ended(2_500));
    expect(call.at(2_900, call.final('Hello')).count('start_model')).toBe(0);
    const hinted = paused().at(2_700, { type: 'turn_hint', finished: 0.2 }).at(2_750, ended(2_500));
    expect(hinted.at(2_900, hinted.final('Hello')).count('start_model')).toBe(0);
    expect(hinted.at(3_000, { type: 'turn_hint', finished: 0.9 }).count('start_model')).toBe(1);
  });

  it('a speculative attempt that fails is made again when the turn has ended', () => {
    const call = paused().at(2_750, ended(2_500));
    call.at(2_900, call.final('Hello')).at(3_000, { type: 'model_failed', attempt: 1, retry: false });
    expect(call.ended).toBeUndefined();
    expect(call.at(3_300).last('start_model')).toMatchObject({ attempt: 2, speculative: false });
  });
});

describe('an attempt of the model', () => {
  it.each([
    ['fails and may be tried again', true, 'start_model', undefined],
    ['fails for good', false, 'complete', 'agent_unresponsive'],
  ])('that %s', (_, retry, last, reason) => {
    const call = Conversation.asked();
    call.at(11_000, { type: 'model_failed', attempt: call.attempt, retry });
    expect([call.types().at(-1), call.ended]).toEqual([last, reason]);
    if (reason === undefined)
      expect(call.last('start_model')).toMatchObject({ attempt: 2, retry: 1, speculative: false });
    else expect(call.detail).toBe('model_unresponsive');
  });

  it('is made three times at the most', () => {
    const call = Conversation.asked();
    for (let nth = 1; nth <= 3; nth += 1)
      call.at(11_000 + nth, { type: 'model_failed', attempt: call.attempt, retry: true });
    expect(call.all('start_model').map(({ retry }) => retry)).toEqual([0, 1, 2]);
    expect(call.ended).toBe('agent_unresponsive');
  });

  it('that fails in the middle: what it has written is said, its tools are not called, the call goes on', () => {
    const call = Conversation.asked();
    const { attempt } = call;
    call.at(
      11_000,
      { type: 'model_delta', attempt, text: 'It costs ' },
      { type: 'model_tool_call', attempt, call: tool('look_up') },
    );
    call.at(11_500, { type: 'model_failed', attempt, retry: true });
    expect([call.types().includes('finish_utterance'), call.count('call_tool'), call.ended]).toEqual([
      true,
      0,
      undefined,
    ]);
    expect(call.spoken(12_000).state.reply).toBeNull();
  });

  it.each([
    [longestWaits.stall - 1, 0],
    [longestWaits.stall, 1],
  ])('cancels a stalled reply %d ms after its last word: %d', (ms, canceled) => {
    const call = Conversation.asked();
    call.at(11_000, { type: 'model_delta', attempt: call.attempt, text: 'It costs ' }).at(11_000 + ms);
    expect([call.count('cancel_model'), call.ended]).toEqual([canceled, undefined]);
  });

  it('that is no longer wanted is ignored', () => {
    const call = Conversation.asked();
    const { attempt } = call;
    call.at(10_100, started(10_100)).at(10_300, call.partial('Or'));
    const before = call.effects.length;
    call.at(10_400, { type: 'model_delta', attempt, text: 'stale' }, { type: 'model_done', attempt });
    expect(call.effects.slice(before)).toEqual([]);
  });

  it.each([
    [129_999, undefined],
    [130_000, 'agent_unresponsive'],
  ])('without a word, where the clock of the model is off: at %d ms the call ended with %s', (now, reason) => {
    expect(Conversation.asked().at(now).ended).toBe(reason);
  });
});

describe('the voice', () => {
  const speaks = () => Conversation.asked({}, { received: 1_000_000 }).mute().replies(11_000, 'It costs ten.');

  it.each([
    [longestWaits.firstAudio - 1, undefined],
    [longestWaits.firstAudio, 'agent_unresponsive'],
  ])('gives no sound for %d ms: the call ended with %s', (ms, reason) => {
    expect(speaks().at(11_000 + ms).ended).toBe(reason);
  });

  it.each([
    [longestWaits.playout - 1, 0],
    [longestWaits.playout, 1],
  ])('goes silent in the middle: %d ms after the last mark the rest is said again: %d', (ms, stopped) => {
    const call = speaks();
    call
      .at(11_200, { type: 'speech_audio', utterance: call.utterance })
      .played(12_000, 9)
      .at(12_000 + ms);
    expect(call.count('stop_utterance')).toBe(stopped);
    if (stopped > 0) expect(call.said.at(-1)).toBe('ten.');
  });

  it('fails once and is given the rest again; fails twice, and the call ends', () => {
    const call = speaks();
    call.at(11_200, { type: 'speech_audio', utterance: call.utterance }).played(12_000, 9);
    call.at(12_100, { type: 'speech_failed', utterance: call.utterance });
    expect([call.said.at(-1), call.ended]).toEqual(['ten.', undefined]);
    call.at(12_200, { type: 'speech_failed', utterance: call.utterance });
    expect([call.ended, call.detail]).toEqual(['agent_unresponsive', 'model_unresponsive']);
  });

  it('a lost mark of the end is not taken for speech that goes on', () => {
    const call = speaks();
    const { utterance } = call;
    call.at(11_200, { type: 'speech_audio', utterance }, { type: 'speech_done', utterance, durationMs: 1_000 });
    call.played(12_000, 9).at(17_000);
    expect([call.state.utterance, call.state.transcript.at(-1)?.text, call.count('stop_utterance')]).toEqual([
      null,
      'It costs ten.',
      0,
    ]);
  });

  it('a line that plays nothing more is cleared, and what it played is what was said', () => {
    const call = speaks();
    const { utterance } = call;
    call.at(11_200, { type: 'speech_audio', utterance }, { type: 'speech_done', utterance, durationMs: 20_000 });
    call.played(12_000, 9).at(17_000);
    expect([call.state.transcript.at(-1)?.text, call.count('stop_utterance')]).toEqual(['It costs', 1]);
  });

  it('the end of an utterance that was stopped is not taken for the end of a later one', () => {
    const call = Conversation.asked({ interruptionMs: 500 }).replies(11_000, 'It costs ten.');
    const { utterance } = call;
    call.says('And two?', 12_000, 12_700).at(13_700).replies(14_000, 'Twenty.');
    call.at(14_100, { type: 'playout_finished', utterance });
    expect(call.state.utterance?.text).toBe('Twenty.');
  });
});

describe('tools', () => {
  const ended = (result = '10', toolCallId = 'tool-1') =>
    ({ type: 'tool_ended', toolCallId, outcome: 'succeeded', result }) as const;

  it('are called when the reply is complete, and the model is asked again with what they returned', () => {
    const call = Conversation.asked();
    const { attempt } = call;
    call.at(11_000, { type: 'model_tool_call', attempt, call: tool('look_up', { item: 'a' }) });
    expect(call.count('call_tool')).toBe(0);
    call.at(11_100, { type: 'model_done', attempt });
    expect(call.last('call_tool').call).toEqual(tool('look_up', { item: 'a' }));
    call.at(12_000, ended());
    expect(call.last('start_model').history.slice(-2)).toEqual([
      { role: 'assistant', text: '', toolCalls: [tool('look_up', { item: 'a' })] },
      { role: 'tool', toolCallId: 'tool-1', text: '10' },
    ]);
    call.replies(13_000, 'Ten.').spoken(14_000);
    expect(call.state.transcript.slice(-2)).toMatchObject([
      {
        speaker: 'agent',
        text: '',
        tool_calls: [
          {
            tool_call_id: 'tool-1',
            name: 'look_up',
            arguments: '{"item":"a"}',
            result: '10',
            outcome: 'succeeded',
            duration_ms: 900,
          },
        ],
      },
      { speaker: 'agent', text: 'Ten.' },
    ]);
  });

  it('run while the agent speaks; the model is asked when both have ended', () => {
    const call = Conversation.asked().replies(11_000, 'Let me see.', tool('look_up')).at(11_500, ended());
    expect(call.count('start_model')).toBe(1);
    expect(call.spoken(12_000).when('start_model')).toBe(12_000);
    expect(call.state.transcript.at(-1)).toMatchObject({ text: 'Let me see.', tool_calls: [{ name: 'look_up' }] });
  });

  it('several run at once; the model is asked when the last has ended, and an end counts once', () => {
    const call = Conversation.asked().replies(11_000, '', tool('one', {}, 'a'), tool('two', {}, 'b'));
    expect(call.all('call_tool').map(({ call: { id } }) => id)).toEqual(['a', 'b']);
    call.at(12_000, ended('1', 'b'), ended('1', 'b'));
    expect(call.count('start_model')).toBe(1);
    expect(call.at(13_000, ended('2', 'a')).count('start_model')).toBe(2);
  });

  it.each([
    [longestWaits.tool - 1, 0],
    [longestWaits.tool, 1],
  ])('do not end for %d ms: given up: %d', (ms, canceled) => {
    const call = Conversation.asked()
      .replies(11_000, '', tool('look_up'))
      .at(11_000 + ms);
    expect([call.count('cancel_tool'), call.count('start_model') - 1]).toEqual([canceled, canceled]);
    if (canceled > 0) expect(call.state.transcript.at(-1)?.tool_calls).toMatchObject([{ outcome: 'timed_out' }]);
  });

  it('a transfer ends the call for this agent without hanging up', () => {
    const call = Conversation.asked().replies(11_000, '', tool('transfer_call'));
    call.at(12_000, { type: 'tool_ended', toolCallId: 'tool-1', outcome: 'transferred', result: '{}' });
    expect([call.ended, call.count('hang_up')]).toEqual(['transferred', 0]);
  });

  it('what still runs when the call ends is written down as canceled', () => {
    const call = Conversation.asked().replies(11_000, '', tool('look_up')).at(12_000, 'hung_up');
    expect(call.last('complete').outcome.transcript?.at(-1)).toMatchObject({ tool_calls: [{ outcome: 'canceled' }] });
    expect(call.count('cancel_tool')).toBe(1);
  });

  it('end_call ends the call after what is said', () => {
    const call = Conversation.asked().replies(11_000, 'Goodbye.', tool('end_call')).at(12_000);
    expect(call.ended).toBeUndefined();
    expect([call.spoken(13_000).ended, call.count('call_tool')]).toEqual(['agent_hung_up', 0]);
  });

  it('leave_voicemail is refused without a proven mailbox, and says the message of the call in one', () => {
    const refused = Conversation.asked({ voicemailMessage: 'Please call us.' }).replies(
      11_000,
      '',
      tool('leave_voicemail'),
    );
    expect(refused.last('start_model').history.at(-1)).toMatchObject({ role: 'tool' });
    expect(refused.said.slice(1)).toEqual([]);
    const call = Conversation.opened({ voicemailMessage: 'Please call us.', speculates: false });
    call
      .says('Please leave a message after the tone.', 2_000, 3_000)
      .at(5_000)
      .replies(6_000, '', tool('leave_voicemail'));
    expect(call.said.at(-1)).toBe('Please call us.');
    expect(call.spoken(9_000).ended).toBe('agent_hung_up');
  });

  it(`a model that calls tools ${mostToolRounds} times in a row has to reply in words`, () => {
    const call = Conversation.asked();
    for (let nth = 1; nth <= mostToolRounds; nth += 1)
      call.replies(10_000 + nth * 100, '', tool('look_up', {}, `t${nth}`)).at(10_050 + nth * 100, ended('', `t${nth}`));
    expect(call.all('start_model').map(({ mayCallTools }) => mayCallTools)).toEqual([
      ...Array.from({ length: mostToolRounds }, () => true),
      false,
    ]);
  });
});
