import { Conversation, tool } from '../../test/conversation';
import { World } from '../../test/fault-schedule';
import { planOfSeed } from '../../test/random-plan';
import type { CallInput } from './inputs';
import type { CallPlan } from './plan';
import type { CallState } from './state';
import { awaitedAudio, nextDeadline, step } from './step';

const started = (since: number) => ({ type: 'speech_started', since }) as const;
const ended = (lastVoice: number) => ({ type: 'speech_ended', lastVoice }) as const;
const final = (text: string): CallInput => ({ type: 'final', segment: 99, text });

describe('the permit', () => {
  it('nothing is dialled before it, and nothing without it', () => {
    const call = new Conversation();
    expect(call.types()).toEqual(['dialing']);
    expect(call.at(1, 'permitted').types()).toEqual(['dialing', 'dial']);
    expect(new Conversation().at(1, { type: 'refused' }).types()).toEqual(['dialing', 'drop']);
  });

  it('a call that is canceled before it is not dialled', () => {
    const call = new Conversation().at(0, { type: 'cancel_requested' }, 'permitted');
    expect(call.types()).toEqual(['dialing', 'failed', 'complete']);
    expect(call.last('report').event.ended_reason).toBe('canceled');
  });
});

describe('a call that is not answered', () => {
  const ringing = () => new Conversation().at(1_000, 'permitted');

  it.each<[string, (call: Conversation) => Conversation, string, boolean]>([
    ['busy', (call) => call.at(2_000, { type: 'failed', reason: 'busy' }), 'busy', false],
    ['declined', (call) => call.at(2_000, { type: 'failed', reason: 'declined' }), 'declined', false],
    [
      'the carrier fails',
      (call) => call.at(2_000, { type: 'failed', reason: 'carrier_failure' }),
      'carrier_failure',
      false,
    ],
    ['hung up', (call) => call.at(2_000, 'hung_up'), 'no_answer', false],
    ['canceled', (call) => call.at(2_000, { type: 'cancel_requested' }), 'canceled', true],
    ['rings for 120 s', (call) => call.at(121_000), 'no_answer', true],
  ])('%s', (_, act, reason, hangsUp) => {
    const call = act(ringing());
    expect(call.last('report').event).toEqual({ type: 'failed', ended_reason: reason });
    expect(call.last('complete').outcome.transcript).toBeNull();
    expect(call.types().includes('hang_up')).toBe(hangsUp);
  });
});

describe('AgentOpening', () => {
  it.each([1_000, 2_000, 5_000])(
    'callee first: after %d ms of silence the agent speaks, not earlier',
    (silenceWaitMs) => {
      const call = Conversation.answered({ silenceWaitMs }).at(silenceWaitMs - 1);
      expect(call.said).toEqual([]);
      expect(call.at(silenceWaitMs).said).toEqual(['Good morning.']);
    },
  );

  it('callee first: greets after what the callee says', () => {
    const call = Conversation.answered().says('Hello?', 500, 1_000).at(1_799);
    expect(call.said).toEqual([]);
    expect([call.at(1_800).said, call.count('start_model')]).toEqual([['Good morning.'], 0]);
  });

  it('agent first: speaks at once; without a greeting the model begins', () => {
    expect(Conversation.answered({ firstSpeaker: 'agent' }).when('start_utterance')).toBe(0);
    const call = Conversation.answered({ firstSpeaker: 'agent', greeting: '' });
    expect(call.last('start_model')).toMatchObject({ history: [], speculative: false });
  });
});

describe('max_call_seconds', () => {
  it.each([
    [60_000, 59_999, undefined],
    [60_000, 60_000, 'max_call_duration_reached'],
    [1_740_000, 1_739_999, undefined],
    [1_740_000, 1_740_000, 'max_call_duration_reached'],
  ])('a limit of %d ms: at %d the call ended with %s', (maxCallMs, now, reason) => {
    const call = Conversation.opened({ maxCallMs }).says('', 2_000, 2_500).at(now);
    expect([call.ended, call.types().includes('hang_up')]).toEqual([reason, reason !== undefined]);
  });

  it('counts from the answer', () => {
    const call = new Conversation({ maxCallMs: 60_000, noCallerSpeechMs: 120_000 })
      .at(0, 'permitted')
      .at(9_000, 'answered');
    call.at(12_000, { type: 'media_started', received: null });
    expect(call.at(68_999).ended).toBeUndefined();
    expect(call.at(69_000).ended).toBe('max_call_duration_reached');
  });
});

describe('no_caller_speech_seconds', () => {
  const quiet = (noCallerSpeechMs: number) => Conversation.answered({ noCallerSpeechMs });

  it.each([
    [10_000, 9_999, undefined],
    [10_000, 10_000, 'no_caller_speech_after_answer'],
    [120_000, 119_999, undefined],
    [120_000, 120_000, 'no_caller_speech_after_answer'],
  ])('a limit of %d ms: at %d the call ended with %s', (limit, now, reason) => {
    expect(quiet(limit).at(now).ended).toBe(reason);
  });

  it.each([
    ['199 ms of voice', 199, '', true],
    ['200 ms of voice', 200, '', false],
    ['words, however short', 100, 'Yes', false],
  ])('%s before the limit: the call ends: %s', (_, voiceMs, text, ends) => {
    const call = quiet(20_000)
      .at(5_000, started(5_000))
      .at(5_000 + voiceMs, ended(5_000 + voiceMs), final(text));
    expect(call.at(25_000).ended).toBe(ends ? 'no_caller_speech_after_answer' : undefined);
  });

  it('a line whose audio comes is kept, however late it is checked, and is given up 10 s after the last of it', () => {
    const call = Conversation.answered({ noCallerSpeechMs: 120_000 }, { received: 0 })
      .at(9_000, { type: 'tick', received: 2_000, arrived: 8_990 })
      .at(18_900, { type: 'tick', received: 4_000, arrived: 18_880 });
    expect(call.ended).toBeUndefined();
    expect(call.at(28_879, { type: 'tick', received: 4_000, arrived: 18_880 }).ended).toBeUndefined();
    expect(call.at(28_880, { type: 'tick', received: 4_000, arrived: 18_880 }).ended).toBe('carrier_failure');
  });

  it('a voice at the limit is checked first', () => {
    const line = () =>
      Conversation.answered({ noCallerSpeechMs: 20_000 }, { received: 0 })
        .at(9_000, { type: 'tick', received: 9_000 })
        .at(18_000, { type: 'tick', received: 18_000 })
        .mute();
    const call = line().at(19_990, { type: 'tick', received: 19_990 }, started(19_950));
    call
      .at(20_000, { type: 'tick', received: 20_000, voiced: 20_000 })
      .at(20_150, { type: 'tick', received: 20_150, voiced: 20_150 });
    expect(call.at(21_300, { type: 'tick', received: 21_300, voiced: 20_150 }).ended).toBeUndefined();
    const noise = line().at(19_990, { type: 'tick', received: 19_990 }, started(19_950));
    noise.at(20_010, { type: 'tick', received: 20_010, voiced: 19_960 });
    expect(noise.at(21_200, { type: 'tick', received: 21_200 }).ended).toBe('no_caller_speech_after_answer');
  });

  it('music, a tone and a voice in music are not heard', () => {
    const call = quiet(20_000)
      .at(100, { type: 'music_started' })
      .at(1_000, started(1_000))
      .at(4_000, ended(4_000), { type: 'beep' });
    expect(call.at(20_000).ended).toBe('no_caller_speech_after_answer');
  });
});

describe('how a call ends', () => {
  const talking = (change: Partial<CallPlan> = {}) => Conversation.asked(change);

  it.each<[string, (call: Conversation) => Conversation, string, boolean]>([
    ['the other party hangs up', (call) => call.at(11_000, 'hung_up'), 'callee_hung_up', false],
    [
      'the agent hangs up after its last words',
      (call) => call.replies(11_000, 'Bye.', tool('end_call')).spoken(12_000),
      'agent_hung_up',
      true,
    ],
    ['the agent hangs up without a word', (call) => call.replies(11_000, '', tool('end_call')), 'agent_hung_up', true],
    ['the record is canceled', (call) => call.at(11_000, { type: 'cancel_requested' }), 'canceled', true],
    [
      'the carrier loses the call',
      (call) => call.at(11_000, { type: 'failed', reason: 'carrier_failure' }),
      'carrier_failure',
      false,
    ],
    ['an operator hangs up', (call) => call.at(11_000, { type: 'control_hang_up' }), 'agent_hung_up', true],
    ['an operator hands it over', (call) => call.at(11_000, { type: 'control_transferred' }), 'transferred', false],
  ])('%s', (_, act, reason, hangsUp) => {
    const call = act(talking());
    expect(call.ended).toBe(reason);
    expect(call.types().includes('hang_up')).toBe(hangsUp);
    expect(call.types().slice(-2)).toEqual(['ended', 'complete']);
    expect(nextDeadline(call.state)).toBeUndefined();
  });

  it('the caller of an inbound call and of a test call hangs up as caller', () => {
    expect(talking({ farEndHangsUp: 'caller_hung_up' }).at(11_000, 'hung_up').ended).toBe('caller_hung_up');
  });

  it('answered without media for 10 s', () => {
    const call = new Conversation().at(0, 'permitted', 'answered');
    expect(call.at(9_999).ended).toBeUndefined();
    expect(call.at(10_000).ended).toBe('carrier_failure');
  });

  it('a lost lease hangs up and writes nothing more', () => {
    const call = talking().at(11_000, { type: 'lease_lost' });
    expect(call.types().slice(-3)).toEqual(['cancel_model', 'hang_up', 'drop']);
    expect([call.count('complete'), call.at(12_000, 'hung_up').types().at(-1)]).toEqual([0, 'drop']);
  });

  it('nothing happens after the end', () => {
    const call = talking().at(11_000, 'hung_up');
    const before = call.effects.length;
    call.at(9_000_000, started(1), { type: 'cancel_requested' }, { type: 'lease_lost' }, 'answered', 'permitted');
    expect(call.effects).toHaveLength(before);
  });

  it('keeps what the caller was saying, what the agent had said, and the keys that were being pressed', () => {
    const call = Conversation.answered({ firstSpeaker: 'agent' }).played(500, 5).at(600, started(600));
    call
      .at(800, { type: 'partial', segment: 1, text: 'Wrong number' }, { type: 'pressed', digits: '4' })
      .at(900, 'hung_up');
    expect(call.last('complete').outcome.transcript).toMatchObject([
      { speaker: 'agent', text: 'Good', ended_ms: 800 },
      { speaker: 'caller', text: 'Wrong number', started_ms: 600 },
      { speaker: 'caller', digits: '4' },
    ]);
  });
});

describe('the reducer', () => {
  it('meets every deadline at its own moment, however late the tick', () => {
    const call = Conversation.answered({ noCallerSpeechMs: 10_000 }).mute();
    const { effects } = step(call.state, { at: 500_000, input: { type: 'tick' } });
    expect(effects.map((effect) => (effect.type === 'report' ? effect.event : effect.type))).toMatchObject([
      'start_utterance',
      'speak',
      'finish_utterance',
      'stop_utterance',
      'hang_up',
      { type: 'ended', ended_reason: 'no_caller_speech_after_answer', elapsed_ms: 10_000 },
      'complete',
    ]);
  });

  it('changes nothing that it is given, and its state survives JSON: the rest of a call is the same from there', () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      let steps = 0;
      const world = new World(seed, planOfSeed(seed), undefined);
      world.run({
        passed: () => undefined,
        over: () => undefined,
        stepped(before, _after, _effects, _world, { at: now }) {
          const frozen = JSON.stringify(before);
          const restored = JSON.parse(frozen) as CallState;
          // The driver's inputs are not simulated here. Instead, a tick far in the future triggers every deadline.
          const far = { at: now + 600_000, input: { type: 'tick' } } as const;
          expect(JSON.stringify(step(restored, far))).toBe(JSON.stringify(step(before, far)));
          expect(JSON.stringify(before)).toBe(frozen);
          steps += 1;
        },
      });
      expect(steps).toBeGreaterThan(0);
    }
  });

  it('returns when it wants to be asked again, by time or by audio', () => {
    expect(nextDeadline(new Conversation().state)).toBeUndefined();
    const call = Conversation.answered({}, { received: 0 });
    expect([nextDeadline(call.state), awaitedAudio(call.state)]).toEqual([2_000, undefined]);
    call.at(2_100, { type: 'tick', received: 1_900 });
    expect([nextDeadline(call.state), awaitedAudio(call.state)]).toEqual([11_900, 2_000]);
  });

  it('ignores what does not fit the moment', () => {
    const call = new Conversation().at(0, 'answered', { type: 'media_started', received: null }, started(0));
    expect(call.types()).toEqual(['dialing']);
    expect(call.at(1, 'permitted', { type: 'media_started', received: null }).types()).toEqual(['dialing', 'dial']);
  });
});
