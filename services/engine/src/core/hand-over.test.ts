import { Conversation, tool } from '../../test/conversation';
import type { CallPlan } from './plan';
import { readSnapshot, snapshotForm, snapshotOf } from './snapshot';
import type { BegunTool, CallSnapshot, ResumedCall } from './state';

const text = 'The price is forty dollars and it takes an hour.';
const withTool: Partial<CallPlan> = { speculates: false };

interface Lost {
  /** Time from the answer until another process takes over. */
  readonly elapsedMs?: number;
  readonly begunTools?: readonly BegunTool[];
  /** A snapshot format of another release. */
  readonly form?: number;
}

/** The data that the platform has if the process is lost now, serialized as JSON. */
function lost(
  call: Conversation,
  { elapsedMs = 60_000, begunTools = [], form = snapshotForm }: Lost = {},
): ResumedCall {
  const given = JSON.parse(
    JSON.stringify({ transcript: call.state.transcript, snapshot: { ...snapshotOf(call.state), form } }),
  ) as { transcript: ResumedCall['transcript']; snapshot: CallSnapshot };
  return { elapsedMs, begunTools, attemptsFrom: 30_000, ...given, snapshot: readSnapshot(given.snapshot) };
}

/** Another process takes over; its media is connected immediately. */
const resumed = (call: Conversation, how: Lost = {}, change: Partial<CallPlan> = {}): Conversation =>
  Conversation.answered({ speculates: false, ...change }, { resumed: lost(call, how) });

const spokenBy = (call: Conversation): string =>
  call.effects.flatMap((effect) => (effect.type === 'speak' ? [effect.text] : [])).join('');
const linesOf = (call: Conversation): string[] =>
  call.state.transcript.map(({ speaker, text: said }) => `${speaker}: ${said}`);

describe('a call that another process continues', () => {
  it('is neither greeted nor reported again, and max_call_seconds counts from the answer', () => {
    const call = resumed(Conversation.opened(), { elapsedMs: 50_000 }, { maxCallMs: 60_000 });
    expect(spokenBy(call)).toBe('');
    expect(call.effects.filter(({ type }) => type === 'report')).toHaveLength(1);
    expect(call.at(9_999).state.phase).toBe('talking');
    expect(call.at(10_000).last('report').event).toMatchObject({
      ended_reason: 'max_call_duration_reached',
      elapsed_ms: 60_000,
    });
  });

  it.each([
    [true, [{ type: 'set_muted', muted: true }]],
    [false, []],
  ])('stays as an operator left it: muted %s', (muted, expected) => {
    const call = resumed(Conversation.opened().at(2_100, { type: 'control_mute', muted }));
    expect(call.all('set_muted')).toEqual(expected);
  });

  it('continues an utterance with the first word that was not played', () => {
    const before = Conversation.asked().replies(10_100, text).played(11_000, 'The price is for'.length);
    const call = resumed(before);
    expect(spokenBy(call)).toBe('forty dollars and it takes an hour.');
    expect(linesOf(call)).toEqual([
      'agent: Good morning.',
      'caller: What does it cost?',
      'agent: The price is',
      'agent: forty dollars and it takes an hour.',
    ]);
    expect(call.state.transcript[2]).toMatchObject({ interrupted: true });
    expect(new Set(call.state.transcript.map(({ turn_id: id }) => id)).size).toBe(4);
    call.spoken(5_000);
    expect(call.count('start_model')).toBe(0);
  });

  it('says the generated text that was not played yet, and does not wait for the rest of the reply', () => {
    const before = Conversation.asked().mute();
    const { attempt } = before;
    before.at(10_100, { type: 'model_delta', attempt, text });
    const call = resumed(before);
    expect(spokenBy(call)).toBe(text);
    expect(call.spoken(5_000).count('start_model')).toBe(0);
  });

  it('requests the pending reply, with the conversation as it was played', () => {
    const call = resumed(Conversation.asked());
    expect(call.last('start_model')).toMatchObject({
      attempt: 30_001,
      history: [
        { role: 'assistant', text: 'Good morning.' },
        { role: 'user', text: 'What does it cost?' },
      ],
    });
  });

  it('waits for the caller if no reply is pending', () => {
    const call = resumed(Conversation.asked().replies(10_100, text).spoken(12_000));
    expect([call.count('start_model'), call.count('start_utterance')]).toEqual([0, 0]);
    expect(call.says('And tomorrow?', 2_000, 3_000).at(20_000).count('start_model')).toBe(1);
  });

  it('keeps the words of an unfinished turn, which ends with the next silence', () => {
    const before = Conversation.opened({ speculates: false }).at(8_000, { type: 'speech_started', since: 8_000 });
    before.at(8_900, before.final('I would like'));
    const call = resumed(before, {}, { endOfTurn: { finished: 500, unfinished: 500, withoutDetector: 500 } });
    call.says('an appointment', 300, 900).at(1_399);
    expect(call.count('start_model')).toBe(0);
    call.at(1_400);
    expect(linesOf(call).at(-1)).toBe('caller: I would like an appointment');
    expect(call.count('start_model')).toBe(1);
  });

  it('says the greeting if the call was lost before it', () => {
    const before = Conversation.answered({ firstSpeaker: 'callee', silenceWaitMs: 3_000 });
    const call = resumed(before, {}, { firstSpeaker: 'callee', silenceWaitMs: 3_000 }).at(2_999);
    expect(spokenBy(call)).toBe('');
    expect(spokenBy(call.at(3_000))).toBe('Good morning.');
  });

  it('waits again for the beep of a mailbox, and then leaves the message', () => {
    const message = { voicemailMessage: 'Please call us.' };
    const before = Conversation.opened({ ...message, speculates: false });
    before.says('Please leave a message.', 2_000, 3_000).at(5_000).replies(6_000, '', tool('leave_voicemail'));
    const call = resumed(before, {}, message).at(14_999);
    expect(spokenBy(call)).toBe('');
    expect(spokenBy(call.at(15_000))).toBe('Please call us.');
  });

  it('withdraws the proof of a mailbox if a person speaks after it', () => {
    const before = Conversation.answered({ silenceWaitMs: 9_000 });
    before.says('You have reached Sam', 100, 1_000).at(1_500, { type: 'beep' });
    expect(before.state.evidence.machine?.kind).toBe('beep');
    const call = resumed(before).says('Sorry, I am here now.', 500, 900).at(3_000);
    const turn = call.state.transcript.findLast(({ speaker }) => speaker === 'caller');
    expect(call.state.evidence.withdrawnBy).toBe(turn?.turn_id);
  });

  it('finishes the last words and hangs up', () => {
    const before = Conversation.asked(withTool).replies(10_100, 'Goodbye, and thank you.', tool('end_call'));
    before.played(10_500, 'Goodbye,'.length);
    const call = resumed(before);
    expect(spokenBy(call)).toBe('and thank you.');
    expect(call.spoken(2_000).last('report').event).toMatchObject({ ended_reason: 'agent_hung_up' });
  });

  describe('with a tool call', () => {
    const running = () => Conversation.asked(withTool).replies(10_100, '', tool('book', { day: 1 }));
    const id = (call: Conversation): string => call.last('call_tool').call.id;

    it('whose result is unknown, informs the model and does not repeat the call before the caller has spoken', () => {
      const before = running();
      const call = resumed(before, { begunTools: [{ id: id(before), name: 'book', ended: undefined }] });
      const { history } = call.last('start_model');
      expect(history.at(-2)).toMatchObject({ toolCalls: [{ name: 'book', arguments: '{"day":1}' }] });
      expect(history.at(-1)).toMatchObject({ role: 'tool', text: expect.stringContaining('not known') as string });
      call.replies(100, '', tool('book', { day: 1 }));
      expect(call.count('call_tool')).toBe(0);
      call.replies(200, 'Shall I book it?').spoken(1_000);
      call
        .says('Yes, please.', 2_000, 3_000)
        .at(20_000)
        .replies(20_100, '', tool('book', { day: 1 }));
      expect(call.count('call_tool')).toBe(1);
    });

    it('whose result is known, gives it to the model', () => {
      const before = running();
      const ended = { outcome: 'succeeded', result: 'booked' } as const;
      const call = resumed(before, { begunTools: [{ id: id(before), name: 'book', ended }] });
      expect(call.last('start_model').history.at(-1)).toMatchObject({ role: 'tool', text: 'booked' });
    });

    it('that was not begun, requests the model again', () => {
      const call = resumed(running());
      expect(call.last('start_model').history.at(-1)).toMatchObject({ role: 'user' });
      expect(call.replies(100, '', tool('book')).count('call_tool')).toBe(1);
    });

    it('that is already in the transcript, does not add it again', () => {
      const before = running();
      const ended = { outcome: 'succeeded', result: 'booked' } as const;
      before.at(10_500, { type: 'tool_ended', toolCallId: id(before), ...ended });
      const call = resumed(before, { begunTools: [{ id: id(before), name: 'book', ended }] });
      expect(call.state.transcript.flatMap(({ tool_calls: calls = [] }) => calls)).toHaveLength(1);
    });
  });

  describe('from a snapshot in an unknown format', () => {
    const other = { form: snapshotForm + 1 };

    it('continues from the transcript: does not greet, and replies if the caller spoke last', () => {
      const call = resumed(Conversation.asked(), other);
      expect([spokenBy(call), call.count('start_model')]).toEqual(['', 1]);
      expect(
        call
          .replies(100, text)
          .spoken(3_000)
          .state.transcript.map(({ turn_id: id }) => id),
      ).toEqual([
        ...Conversation.asked().state.transcript.map(({ turn_id: id }) => id),
        expect.stringMatching(/^turn_\d+$/),
      ]);
    });

    it('waits for the caller if the agent spoke last', () => {
      const call = resumed(Conversation.opened(), other);
      expect([spokenBy(call), call.count('start_model')]).toEqual(['', 0]);
    });
  });
});

describe('a call that is handed over', () => {
  const handOver = (atOnce = false) => ({ type: 'hand_over', atOnce }) as const;

  it('waits for the end of the utterance of the agent', () => {
    const call = Conversation.asked().replies(10_100, text).at(10_200, handOver());
    expect(call.count('hand_over')).toBe(0);
    expect(call.spoken(12_000).when('hand_over')).toBe(12_000);
    expect(call.count('complete')).toBe(0);
  });

  it.each<[string, (call: Conversation) => unknown]>([
    ['the caller speaks', (call) => call.at(8_000, { type: 'speech_started', since: 8_000 })],
    ['a reply is being generated', (call) => call.says('What does it cost?', 8_000, 9_000).at(20_000)],
  ])('waits while %s', (_, busy) => {
    const call = Conversation.opened({ speculates: false });
    busy(call);
    expect(call.at(20_000, handOver()).count('hand_over')).toBe(0);
  });

  it('is handed over immediately if it cannot wait, and the other process says the rest of the utterance', () => {
    const call = Conversation.asked().replies(10_100, text).played(11_000, 'The price is'.length);
    call.at(11_100, handOver(true));
    expect(call.count('stop_utterance')).toBe(1);
    expect(call.when('hand_over')).toBe(11_100);
    expect(spokenBy(resumed(call))).toBe('forty dollars and it takes an hour.');
  });

  it('is handed over immediately if no one speaks', () => {
    expect(Conversation.opened().at(5_000, handOver()).when('hand_over')).toBe(5_000);
  });
});

it('a snapshot contains no DTMF keys that are being collected, and does not change as JSON', () => {
  const call = Conversation.opened().at(5_000, { type: 'pressed', digits: '4111111111111111' });
  const snapshot = snapshotOf(call.state);
  expect(JSON.stringify(snapshot)).not.toContain('4111');
  expect(JSON.parse(JSON.stringify(snapshot))).toEqual(snapshot);
});
