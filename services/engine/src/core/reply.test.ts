import { Conversation, tool } from '../../test/conversation';
import type { CallPlan } from './plan';
import { longestWaits, mostToolRounds } from './waits';

const started = (since: number) => ({ type: 'speech_started', since }) as const;
const ended = (lastVoice: number) => ({ type: 'speech_ended', lastVoice }) as const;
const delay = { finished: 600, unfinished: 1_200, withoutDetector: 800 };

describe('speculative generation during the end-of-turn delay', () => {
  /** The caller speaks from 2,000 to 2,500, reported at 2,750; the delay ends at 3,300. */
  const paused = (change: Partial<CallPlan> = {}) =>
    Conversation.opened({ endOfTurn: delay, ...change }).at(2_000, started(2_000));

  it('requests the model when speech ends, and confirms the request if the turn ends with the same words', () => {
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

  it('requests the model when the words arrive after the end of speech', () => {
    const call = paused().at(2_750, ended(2_500));
    expect(call.count('start_model')).toBe(0);
    expect(call.at(2_900, call.final('Hello')).when('start_model')).toBe(2_900);
  });

  it('holds the speech until the turn has ended', () => {
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

  it('stops the reply if the words change, and requests the model again', () => {
    const call = paused().at(2_300, { type: 'partial', segment: 1, text: 'I want' });
    call.at(2_750, ended(2_500)).replies(2_800, 'What?');
    call.at(3_000, call.final('I want a table'));
    expect(call.types().slice(-2)).toEqual(['stop_utterance', 'start_model']);
    expect(call.at(3_300).last('confirm_model').attempt).toBe(2);
  });

  it('cancels an incomplete request if the words change', () => {
    const call = paused().at(2_300, { type: 'partial', segment: 1, text: 'I want' }).at(2_750, ended(2_500));
    expect(call.at(3_000, call.final('I want a table')).last('cancel_model').attempt).toBe(1);
  });

  it('continues after further speech without words, and is canceled by words', () => {
    const call = paused().at(2_750, ended(2_500));
    call.at(2_900, call.final('Hello')).at(3_000, started(3_000)).at(3_100, ended(3_050), call.final(''));
    expect(call.at(3_849).count('confirm_model')).toBe(0);
    expect([call.at(3_850).count('confirm_model'), call.count('start_model')]).toEqual([1, 1]);
    const other = paused().at(2_750, ended(2_500));
    other.at(2_900, other.final('Hello')).at(3_000, started(3_000)).at(3_200, other.partial('there'));
    expect(other.count('cancel_model')).toBe(1);
  });

  it('calls no tool before the turn has ended', () => {
    const call = paused().at(2_750, ended(2_500));
    call.at(2_900, call.final('Hello')).replies(3_000, '', tool('look_up'));
    expect(call.at(3_299).count('call_tool')).toBe(0);
    expect(call.at(3_300).when('call_tool')).toBe(3_300);
  });

  it('is off if it is disabled, and while a hint indicates an unfinished turn', () => {
    const call = paused({ speculates: false }).at(2_750, ended(2_500));
    expect(call.at(2_900, call.final('Hello')).count('start_model')).toBe(0);
    const hinted = paused().at(2_700, { type: 'turn_hint', finished: 0.2 }).at(2_750, ended(2_500));
    expect(hinted.at(2_900, hinted.final('Hello')).count('start_model')).toBe(0);
    expect(hinted.at(3_000, { type: 'turn_hint', finished: 0.9 }).count('start_model')).toBe(1);
  });

  it('repeats a failed request when the turn has ended', () => {
    const call = paused().at(2_750, ended(2_500));
    call.at(2_900, call.final('Hello')).at(3_000, { type: 'model_failed', attempt: 1, retry: false });
    expect(call.ended).toBeUndefined();
    expect(call.at(3_300).last('start_model')).toMatchObject({ attempt: 2, speculative: false });
  });
});

describe('a request to the model', () => {
  it.each([
    ['fails temporarily is repeated', true, 'start_model', undefined],
    ['fails permanently ends the call with agent_unresponsive', false, 'complete', 'agent_unresponsive'],
  ])('that %s', (_, retry, last, reason) => {
    const call = Conversation.asked();
    call.at(11_000, { type: 'model_failed', attempt: call.attempt, retry });
    expect([call.types().at(-1), call.ended]).toEqual([last, reason]);
    if (reason === undefined)
      expect(call.last('start_model')).toMatchObject({ attempt: 2, retry: 1, speculative: false });
    else expect(call.detail).toBe('model_unresponsive');
  });

  it('is sent at most three times', () => {
    const call = Conversation.asked();
    for (let nth = 1; nth <= 3; nth += 1)
      call.at(11_000 + nth, { type: 'model_failed', attempt: call.attempt, retry: true });
    expect(call.all('start_model').map(({ retry }) => retry)).toEqual([0, 1, 2]);
    expect(call.ended).toBe('agent_unresponsive');
  });

  it('that fails midway: the generated text is said, its tools are not called, and the call continues', () => {
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
  ])('is canceled if it stalls: %d ms after the last word there were %d cancellations', (ms, canceled) => {
    const call = Conversation.asked();
    call.at(11_000, { type: 'model_delta', attempt: call.attempt, text: 'It costs ' }).at(11_000 + ms);
    expect([call.count('cancel_model'), call.ended]).toEqual([canceled, undefined]);
  });

  it('that was dropped has no deadline left that cancels the next one', () => {
    const call = Conversation.asked();
    call.at(11_000, { type: 'model_delta', attempt: call.attempt, text: 'It costs ' });
    call.says('And for two?', 18_000, 19_000).at(20_500);
    const [dropped, next] = call.all('start_model').map(({ attempt }) => attempt);
    call.at(11_000 + longestWaits.stall + 500);
    expect(call.all('cancel_model')).toEqual([{ type: 'cancel_model', attempt: dropped }]);
    expect(call.attempt).toBe(next);
  });

  it('that was canceled has no further effects', () => {
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
  ])('without a word and with model_unresponsive off: at %d ms the end reason is %s', (now, reason) => {
    expect(Conversation.asked().at(now).ended).toBe(reason);
  });
});

describe('the speech synthesis', () => {
  const speaks = () => Conversation.asked({}, { received: 1_000_000 }).mute().replies(11_000, 'It costs ten.');

  it.each([
    [longestWaits.firstAudio - 1, 1, undefined],
    [longestWaits.firstAudio, 2, undefined],
    [22_000 - 1, 2, undefined],
    [22_000, 3, undefined],
    [46_000 - 1, 4, undefined],
    [46_000, 4, 'voice_unavailable'],
  ])('delivers no audio for %d ms: it was asked %d times, and the end has the detail %s', (ms, asked, detail) => {
    const call = speaks().at(11_000 + ms);
    expect([call.count('start_utterance') - 1, call.detail]).toEqual([asked, detail]);
  });

  it.each([
    [longestWaits.playout - 1, 0],
    [longestWaits.playout, 1],
  ])('stops midway: %d ms after the last mark, the rest was repeated %d times', (ms, stopped) => {
    const call = speaks();
    call
      .at(11_200, { type: 'speech_audio', utterance: call.utterance })
      .played(12_000, 9)
      .at(12_000 + ms);
    expect(call.count('stop_utterance')).toBe(stopped);
    if (stopped > 0) expect(call.said.at(-1)).toBe('ten.');
  });

  const fails = (call: Conversation, at: number, refused?: boolean): Conversation =>
    call.at(at, { type: 'speech_failed', utterance: call.utterance, ...(refused && { refused }) });

  it('fails: the rest is synthesized again, at once and then after pauses, and the call goes on', () => {
    const call = speaks();
    call.at(11_200, { type: 'speech_audio', utterance: call.utterance }).played(12_000, 9);
    const asked = (): number => call.count('start_utterance') - 1;
    fails(call, 12_100);
    expect([call.said.at(-1), asked()]).toEqual(['ten.', 2]);
    fails(call, 12_200).at(14_199);
    expect(asked()).toBe(2);
    fails(call.at(14_200), 14_300).at(18_299);
    expect(asked()).toBe(3);
    call.at(18_300).at(18_400, { type: 'speech_audio', utterance: call.utterance });
    call.at(18_500, { type: 'speech_done', utterance: call.utterance, durationMs: 300 });
    call.at(18_800, { type: 'playout_finished', utterance: call.utterance });
    const agent = call.state.transcript.filter(({ speaker }) => speaker === 'agent').map(({ text }) => text);
    expect([agent.slice(-2), call.ended, call.state.reply]).toEqual([['It costs', 'ten.'], undefined, null]);
  });

  it.each([
    [29_999, undefined],
    [30_000, 'voice_unavailable'],
  ])(
    'fails again %d ms after its first failure, without any audio between: the end has the detail %s',
    (ms, detail) => {
      const call = fails(fails(speaks(), 11_100), 11_200).at(13_200);
      fails(fails(call, 23_100).at(27_100), 33_000).at(41_000);
      expect(fails(call, 11_100 + ms).detail).toBe(detail);
    },
  );

  it('refuses a text: it is skipped with a problem, the caller is still owed a reply, and the next reply is spoken', () => {
    const call = fails(speaks(), 11_100, true);
    expect(call.all('note')).toMatchObject([{ problem: { code: 'speech_skipped' } }]);
    expect([call.state.reply, call.state.owed.owed, call.ended]).toEqual([null, true, undefined]);
    expect(call.count('start_utterance')).toBe(2);
  });

  it('is never requested for a reply without letters or digits: the model is asked once more', () => {
    const call = Conversation.asked({ speculates: true }, { received: 1_000_000 }).mute();
    const asked = call.count('start_model');
    call.replies(11_000, '... 👍');
    expect([call.count('start_utterance'), call.count('start_model')]).toEqual([1, asked + 1]);
    expect(call.all('note')).toMatchObject([{ problem: { code: 'empty_reply' } }]);
  });

  it('audio that was never played was not heard, whatever the time: the rest is synthesized again', () => {
    const call = speaks();
    const { utterance } = call;
    call.at(11_200, { type: 'speech_audio', utterance }, { type: 'speech_done', utterance, durationMs: 1_000 });
    call.played(12_000, 9).at(17_000);
    expect([call.state.transcript.at(-1)?.text, call.said.at(-1), call.count('stop_utterance')]).toEqual([
      'It costs',
      'ten.',
      1,
    ]);
  });

  it('a line that stops playing is cleared, and the transcript contains the played text', () => {
    const call = speaks();
    const { utterance } = call;
    call.at(11_200, { type: 'speech_audio', utterance }, { type: 'speech_done', utterance, durationMs: 20_000 });
    call.played(12_000, 9).at(17_000);
    expect([call.state.transcript.at(-1)?.text, call.count('stop_utterance')]).toEqual(['It costs', 1]);
  });

  it('the late end of a stopped utterance does not end a later one', () => {
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

  it('are called when the reply is complete, and the model is requested again with their results', () => {
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

  it('run while the agent speaks, and the model is requested when both have ended', () => {
    const call = Conversation.asked().replies(11_000, 'Let me see.', tool('look_up')).at(11_500, ended());
    expect(call.count('start_model')).toBe(1);
    expect(call.spoken(12_000).when('start_model')).toBe(12_000);
    expect(call.state.transcript.at(-1)).toMatchObject({ text: 'Let me see.', tool_calls: [{ name: 'look_up' }] });
  });

  it('run concurrently, and the model is requested when the last has ended; a repeated result is ignored', () => {
    const call = Conversation.asked().replies(11_000, '', tool('one', {}, 'a'), tool('two', {}, 'b'));
    expect(call.all('call_tool').map(({ call: { id } }) => id)).toEqual(['a', 'b']);
    call.at(12_000, ended('1', 'b'), ended('1', 'b'));
    expect(call.count('start_model')).toBe(1);
    expect(call.at(13_000, ended('2', 'a')).count('start_model')).toBe(2);
  });

  it.each([
    [longestWaits.tool - 1, 0],
    [longestWaits.tool, 1],
  ])('that do not end for %d ms: %d are canceled', (ms, canceled) => {
    const call = Conversation.asked()
      .replies(11_000, '', tool('look_up'))
      .at(11_000 + ms);
    expect([call.count('cancel_tool'), call.count('start_model') - 1]).toEqual([canceled, canceled]);
    if (canceled > 0) expect(call.state.transcript.at(-1)?.tool_calls).toMatchObject([{ outcome: 'timed_out' }]);
  });

  it('a transfer ends the call with "transferred", without hanging up', () => {
    const call = Conversation.asked().replies(11_000, '', tool('transfer_call'));
    call.at(12_000, { type: 'tool_ended', toolCallId: 'tool-1', outcome: 'transferred', result: '{}' });
    expect([call.ended, call.count('hang_up')]).toEqual(['transferred', 0]);
  });

  it('tools that run when the call ends are in the transcript as canceled', () => {
    const call = Conversation.asked().replies(11_000, '', tool('look_up')).at(12_000, 'hung_up');
    expect(call.last('complete').outcome.transcript?.at(-1)).toMatchObject({ tool_calls: [{ outcome: 'canceled' }] });
    expect(call.count('cancel_tool')).toBe(1);
  });

  it('end_call ends the call after the last words', () => {
    const call = Conversation.asked().replies(11_000, 'Goodbye.', tool('end_call')).at(12_000);
    expect(call.ended).toBeUndefined();
    expect([call.spoken(13_000).ended, call.count('call_tool')]).toEqual(['agent_hung_up', 0]);
  });

  it('refuses leave_voicemail without a proven mailbox, and otherwise says the voicemail message', () => {
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
    expect(call.at(9_499).said).not.toContain('Please call us.');
    call.at(9_500, { type: 'beep' });
    expect([call.said.at(-1), call.said.length]).toEqual(['Please call us.', 2]);
    expect(call.spoken(12_000).ended).toBe('agent_hung_up');
  });

  const leaving = (given: object = { text: ' Call Anna. ' }, message = 'Please call us.') =>
    Conversation.opened({ voicemailMessage: message, speculates: false })
      .says('Please leave a message.', 2_000, 3_000)
      .at(5_000)
      .replies(6_000, '', tool('leave_voicemail', given));

  it.each<[string, Conversation, string | undefined]>([
    ["the model's text, not the stored message", leaving().at(9_000, { type: 'beep' }), 'Call Anna.'],
    ['it where no message is stored', leaving(undefined, '').at(9_000, { type: 'beep' }), 'Call Anna.'],
    ['the stored message for a blank text', leaving({ text: ' ' }).at(9_000, { type: 'beep' }), 'Please call us.'],
    [
      'nothing to the rest of the greeting',
      leaving().says('When you have finished, hang up.', 7_000, 8_000).at(12_000),
      undefined,
    ],
    ['nothing yet 1 ms before the longest wait for a beep', leaving().at(20_999), undefined],
    ['it after the longest wait for a beep', leaving().at(21_000), 'Call Anna.'],
    [
      'nothing to a person who picks up, who is answered',
      leaving().says('Hello, this is Sam.', 7_000, 8_000).at(9_000).at(30_000),
      undefined,
    ],
  ])('leave_voicemail says %s', (_, call, expected) => {
    expect(call.said[1]).toBe(expected);
  });

  it('leave_voicemail without any text ends the call', () => {
    const call = leaving({}, '');
    expect([call.said.length, call.ended]).toEqual([1, 'agent_hung_up']);
  });

  it(`after ${mostToolRounds} consecutive rounds of tools, the model is requested without tools`, () => {
    const call = Conversation.asked();
    for (let nth = 1; nth <= mostToolRounds; nth += 1)
      call.replies(10_000 + nth * 100, '', tool('look_up', {}, `t${nth}`)).at(10_050 + nth * 100, ended('', `t${nth}`));
    expect(call.all('start_model').map(({ mayCallTools }) => mayCallTools)).toEqual([
      ...Array.from({ length: mostToolRounds }, () => true),
      false,
    ]);
  });
});
