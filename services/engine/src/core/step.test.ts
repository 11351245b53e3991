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

describe('permit to dial', () => {
  it('is required before a number is dialed', () => {
    const call = new Conversation();
    expect(call.types()).toEqual(['dialing']);
    expect(call.at(1, 'permitted').types()).toEqual(['dialing', 'dial']);
    expect(new Conversation().at(1, { type: 'refused' }).types()).toEqual(['dialing', 'drop']);
  });

  it('is not used if the call was canceled before', () => {
    const call = new Conversation().at(0, { type: 'cancel_requested' }, 'permitted');
    expect(call.types()).toEqual(['dialing', 'failed', 'complete']);
    expect(call.last('report').event.ended_reason).toBe('canceled');
  });
});

describe('a call that is not answered', () => {
  const ringing = () => new Conversation().at(1_000, 'permitted');

  it.each<[string, (call: Conversation) => Conversation, string, boolean]>([
    ['that is busy fails with busy', (call) => call.at(2_000, { type: 'failed', reason: 'busy' }), 'busy', false],
    [
      'that is declined fails with declined',
      (call) => call.at(2_000, { type: 'failed', reason: 'declined' }),
      'declined',
      false,
    ],
    [
      'that the carrier cannot place fails with carrier_failure',
      (call) => call.at(2_000, { type: 'failed', reason: 'carrier_failure' }),
      'carrier_failure',
      false,
    ],
    ['that is hung up while ringing fails with no_answer', (call) => call.at(2_000, 'hung_up'), 'no_answer', false],
    [
      'that is canceled fails with canceled, and is hung up',
      (call) => call.at(2_000, { type: 'cancel_requested' }),
      'canceled',
      true,
    ],
    ['that rings for 120 s fails with no_answer, and is hung up', (call) => call.at(121_000), 'no_answer', true],
  ])('%s', (_, act, reason, hangsUp) => {
    const call = act(ringing());
    expect(call.last('report').event).toEqual({ type: 'failed', ended_reason: reason });
    expect(call.last('complete').outcome.transcript).toBeNull();
    expect(call.types().includes('hang_up')).toBe(hangsUp);
  });
});

describe('opening of a call', () => {
  it.each([1_000, 2_000, 5_000])(
    'first speaker callee: after %d ms of silence the agent speaks, not earlier',
    (silenceWaitMs) => {
      const call = Conversation.answered({ silenceWaitMs }).at(silenceWaitMs - 1);
      expect(call.said).toEqual([]);
      expect(call.at(silenceWaitMs).said).toEqual(['Good morning.']);
    },
  );

  it('first speaker callee: the agent greets after the first turn of the callee', () => {
    const call = Conversation.answered().says('Hello?', 500, 1_000).at(1_799);
    expect(call.said).toEqual([]);
    expect([call.at(1_800).said, call.count('start_model')]).toEqual([['Good morning.'], 0]);
  });

  it('first speaker agent: speaks immediately; without a greeting, the model is requested', () => {
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
  ])('a limit of %d ms: at %d ms the end reason is %s', (maxCallMs, now, reason) => {
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
  ])('a limit of %d ms: at %d ms the end reason is %s', (limit, now, reason) => {
    expect(quiet(limit).at(now).ended).toBe(reason);
  });

  it.each([
    ['199 ms of speech', 199, '', true],
    ['200 ms of speech', 200, '', false],
    ['a short word', 100, 'Yes', false],
  ])('%s before the limit: the call is ended: %s', (_, voiceMs, text, ends) => {
    const call = quiet(20_000)
      .at(5_000, started(5_000))
      .at(5_000 + voiceMs, ended(5_000 + voiceMs), final(text));
    expect(call.at(25_000).ended).toBe(ends ? 'no_caller_speech_after_answer' : undefined);
  });

  it('a line is kept while audio arrives, even if steps are late, and ends with carrier_failure 20 s after the last audio', () => {
    const call = Conversation.answered({ noCallerSpeechMs: 120_000 }, { received: 0 })
      .at(9_000, { type: 'tick', received: 2_000, arrived: 8_990 })
      .at(18_900, { type: 'tick', received: 4_000, arrived: 18_880 });
    expect(call.ended).toBeUndefined();
    expect(call.at(38_879, { type: 'tick', received: 4_000, arrived: 18_880 }).ended).toBeUndefined();
    expect(call.at(38_880, { type: 'tick', received: 4_000, arrived: 18_880 }).ended).toBe('carrier_failure');
  });

  it('speech that begins at the limit is analyzed before the call is ended', () => {
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

  it('music, tones and voices without words in music do not count as speech', () => {
    const call = quiet(20_000)
      .at(100, { type: 'music_started' })
      .at(1_000, started(1_000))
      .at(4_000, ended(4_000), { type: 'beep' });
    expect(call.at(20_000).ended).toBe('no_caller_speech_after_answer');
  });
});

describe('end of a call', () => {
  const talking = (change: Partial<CallPlan> = {}) => Conversation.asked(change);

  it.each<[string, (call: Conversation) => Conversation, string, boolean]>([
    ['the other party hangs up', (call) => call.at(11_000, 'hung_up'), 'callee_hung_up', false],
    [
      'end_call after the last words',
      (call) => call.replies(11_000, 'Bye.', tool('end_call')).spoken(12_000),
      'agent_hung_up',
      true,
    ],
    ['end_call without words', (call) => call.replies(11_000, '', tool('end_call')), 'agent_hung_up', true],
    ['the call is canceled', (call) => call.at(11_000, { type: 'cancel_requested' }), 'canceled', true],
    [
      'the carrier loses the call',
      (call) => call.at(11_000, { type: 'failed', reason: 'carrier_failure' }),
      'carrier_failure',
      false,
    ],
    ['an operator hangs up', (call) => call.at(11_000, { type: 'control_hang_up' }), 'agent_hung_up', true],
    [
      'an operator transfers the call',
      (call) => call.at(11_000, { type: 'control_transferred' }),
      'transferred',
      false,
    ],
  ])('%s', (_, act, reason, hangsUp) => {
    const call = act(talking());
    expect(call.ended).toBe(reason);
    expect(call.types().includes('hang_up')).toBe(hangsUp);
    expect(call.types().slice(-2)).toEqual(['ended', 'complete']);
    expect(nextDeadline(call.state)).toBeUndefined();
  });

  it('in an inbound or test call, the other party ends it with caller_hung_up', () => {
    expect(talking({ farEndHangsUp: 'caller_hung_up' }).at(11_000, 'hung_up').ended).toBe('caller_hung_up');
  });

  it('no media stream for 10 s after the answer', () => {
    const call = new Conversation().at(0, 'permitted', 'answered');
    expect(call.at(9_999).ended).toBeUndefined();
    expect(call.at(10_000).ended).toBe('carrier_failure');
  });

  it('a lost lease: the worker hangs up and reports nothing more', () => {
    const call = talking().at(11_000, { type: 'lease_lost' });
    expect(call.types().slice(-3)).toEqual(['cancel_model', 'hang_up', 'drop']);
    expect([call.count('complete'), call.at(12_000, 'hung_up').types().at(-1)]).toEqual([0, 'drop']);
  });

  it('inputs after the end have no effect', () => {
    const call = talking().at(11_000, 'hung_up');
    const before = call.effects.length;
    call.at(9_000_000, started(1), { type: 'cancel_requested' }, { type: 'lease_lost' }, 'answered', 'permitted');
    expect(call.effects).toHaveLength(before);
  });

  it('the transcript contains the unfinished words of the caller, the played words of the agent, and collected DTMF keys', () => {
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

describe('the state machine of a call', () => {
  it('handles every deadline at its own time, even if the tick is late', () => {
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

  it('does not change its arguments, and continues identically from a state restored from JSON', () => {
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

  it('returns the next deadline and the awaited amount of audio', () => {
    expect(nextDeadline(new Conversation().state)).toBeUndefined();
    const call = Conversation.answered({}, { received: 0 });
    expect([nextDeadline(call.state), awaitedAudio(call.state)]).toEqual([2_000, undefined]);
    call.at(2_100, { type: 'tick', received: 1_900 });
    expect([nextDeadline(call.state), awaitedAudio(call.state)]).toEqual([20_000, 2_000]);
  });

  it('ignores inputs that do not fit the state', () => {
    const call = new Conversation().at(0, 'answered', { type: 'media_started', received: null }, started(0));
    expect(call.types()).toEqual(['dialing']);
    expect(call.at(1, 'permitted', { type: 'media_started', received: null }).types()).toEqual(['dialing', 'dial']);
  });
});
