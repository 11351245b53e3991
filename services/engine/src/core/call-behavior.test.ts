import { readEffectiveTuning } from '@parley/contract';
import { Conversation, tool } from '../../test/conversation';
import { toCallBehavior, type CallBehavior } from './call-behavior';
import { plainBehavior } from '../../test/plain-behavior';

const asked = (conduct: Partial<CallBehavior>): Conversation =>
  Conversation.asked({ conduct: { ...plainBehavior, ...conduct } });
const started = (since: number) => ({ type: 'speech_started', since }) as const;
const ended = (lastVoice: number) => ({ type: 'speech_ended', lastVoice }) as const;
const toolEnded = { type: 'tool_ended', toolCallId: 'tool-1', outcome: 'succeeded', result: '' } as const;

describe('end_of_call_phrase, the last words of the agent,', () => {
  it.each(['Goodbye.', ''])('is said after the last reply %j, once, and then the agent hangs up', (reply) => {
    const call = asked({ endPhrase: 'Thank you for calling.' }).replies(11_000, reply, tool('end_call'));
    if (reply !== '') call.spoken(12_000);
    expect(call.said.at(-1)).toBe('Thank you for calling.');
    expect(call.ended).toBeUndefined();
    expect(call.spoken(14_000).ended).toBe('agent_hung_up');
    expect(call.said.filter((text) => /Thank you/.test(text))).toHaveLength(1);
  });

  it('is not said if it is not set', () => {
    expect(asked({}).replies(11_000, 'Goodbye.', tool('end_call')).spoken(12_000).ended).toBe('agent_hung_up');
  });

  it('is interrupted by the caller, whose turn is answered, and is not said twice', () => {
    const call = Conversation.asked({ conduct: { ...plainBehavior, endPhrase: 'Thank you.' }, interruptionMs: 500 });
    call.replies(11_000, '', tool('end_call')).says('Wait, one more', 11_500, 12_200).at(13_200);
    expect([call.ended, call.count('start_model')]).toEqual([undefined, 2]);
    expect(call.replies(14_000, '', tool('end_call')).ended).toBe('agent_hung_up');
    expect(call.said.filter((text) => text === 'Thank you.')).toHaveLength(1);
  });
});

describe('acknowledgements, which are said while a reply is generated,', () => {
  const acknowledgement = { delayMs: 1_200, phrases: ['One moment.', 'Let me see.'] };

  it('are said once after the delay, outside of the transcript, and stopped when the reply is audible', () => {
    const call = asked({ acknowledgement }).at(11_199);
    expect(call.count('say_aside')).toBe(0);
    expect(call.at(11_200).count('say_aside')).toBe(1);
    call.at(20_000);
    expect(call.all('say_aside')).toEqual([{ type: 'say_aside', text: 'One moment.' }]);
    expect(call.count('stop_aside')).toBe(0);
    call.mute().replies(20_500, 'Ten.');
    expect(call.count('stop_aside')).toBe(0);
    call.at(20_700, { type: 'speech_audio', utterance: call.utterance });
    expect(call.types().at(-1)).toBe('stop_aside');
    expect(call.state.transcript.some(({ text }) => text === 'One moment.')).toBe(false);
  });

  it('are not said if the reply is audible before the delay, or if the caller continues', () => {
    const quick = asked({ acknowledgement }).replies(11_100, 'Ten.').at(15_000);
    const more = asked({ acknowledgement }).at(11_000, started(11_000)).at(15_000);
    expect([quick.count('say_aside'), more.count('say_aside')]).toEqual([0, 0]);
  });

  it('are said in the next turn with the next phrase', () => {
    const call = asked({ acknowledgement }).at(11_200).replies(12_000, 'Ten.').spoken(13_000);
    call.says('And two?', 14_000, 14_500).at(15_500).at(16_700);
    expect(call.last('say_aside').text).toBe('Let me see.');
  });

  it('are not said without phrases for the language', () => {
    const enabled = { enabled: true, delay_ms: 1_200, phrases: [] };
    for (const acknowledgements of [enabled, { ...enabled, enabled: false, phrases: ['Yes.'] }])
      expect(
        toCallBehavior(readEffectiveTuning({ voice_polish: { acknowledgements } }), false).acknowledgement,
      ).toBeNull();
    expect(asked({}).at(30_000).count('say_aside')).toBe(0);
  });
});

describe('tool_wait, a phrase or sound while a tool runs,', () => {
  const toolWait = {
    mode: 'acknowledge' as const,
    delayMs: 1_000,
    phrases: ['Hm.'],
    soundMs: 15_000,
    silentTools: ['end_call', 'transfer_call'],
  };
  const running = (call: Conversation, name: string, text = '') => call.replies(10_500, text, tool(name));

  it('says at most one phrase per wait, after the delay', () => {
    const call = running(asked({ toolWait }), 'look_up').at(11_499);
    expect(call.count('say_aside')).toBe(0);
    expect(call.at(11_500).count('say_aside')).toBe(1);
    expect(call.at(40_000).count('say_aside')).toBe(1);
  });

  it('says a phrase only after the agent has finished its utterance', () => {
    const call = running(asked({ toolWait }), 'look_up', 'I am going to look.').at(12_100);
    expect(call.count('say_aside')).toBe(0);
    expect(call.spoken(12_200).at(12_499).count('say_aside')).toBe(0);
    expect(call.at(12_500).count('say_aside')).toBe(1);
  });

  it.each(['end_call', 'transfer_call'])('is not applied to %s', (name) => {
    for (const mode of ['acknowledge', 'sound'] as const) {
      const call = running(asked({ toolWait: { ...toolWait, mode } }), name).at(40_000);
      expect([call.count('say_aside'), call.count('typing_sound')]).toEqual([0, 0]);
    }
  });

  it('mode sound: plays a typing sound after the delay until the tool ends', () => {
    const call = running(asked({ toolWait: { ...toolWait, mode: 'sound' } }), 'look_up').at(11_499);
    expect(call.count('typing_sound')).toBe(0);
    call.at(11_500);
    expect([call.count('typing_sound'), call.count('stop_aside')]).toEqual([1, 0]);
    call.at(13_000, toolEnded);
    expect([call.count('typing_sound'), call.count('stop_aside')]).toEqual([1, 1]);
  });

  it('mode sound: stops after 15 seconds', () => {
    const call = running(asked({ toolWait: { ...toolWait, mode: 'sound' } }), 'look_up').at(26_499);
    expect(call.count('stop_aside')).toBe(0);
    expect(call.at(26_500).count('stop_aside')).toBe(1);
  });

  it('replaces the acknowledgement of the turn', () => {
    const acknowledgement = { delayMs: 1_200, phrases: ['One moment.'] };
    const call = running(asked({ toolWait, acknowledgement }), 'look_up').at(40_000);
    expect(call.all('say_aside').map(({ text }) => text)).toEqual(['Hm.']);
  });

  it('says nothing if the tool ends before the delay', () => {
    expect(running(asked({ toolWait }), 'look_up').at(11_000, toolEnded).at(20_000).count('say_aside')).toBe(0);
  });
});

describe('unrecognised_speech, a phrase after speech without words,', () => {
  const unrecognised = { most: 2, phrase: 'Pardon?' };
  const mumble = (call: Conversation, at: number) =>
    call
      .at(at, started(at))
      .at(at + 500, ended(at + 500))
      .at(at + 4_000);
  const open = (conduct: Partial<CallBehavior>) => Conversation.opened({ conduct: { ...plainBehavior, ...conduct } });

  it.each([1, 2, 5])('says the phrase at most %d times per call, without calling the model', (most) => {
    const call = open({ unrecognised: { ...unrecognised, most } });
    for (let nth = 0; nth < 7; nth += 1) {
      mumble(call, 2_000 + nth * 10_000);
      if (call.state.utterance !== null) call.spoken(8_000 + nth * 10_000);
    }
    expect(call.said.filter((text) => text === 'Pardon?')).toHaveLength(most);
    expect(call.count('start_model')).toBe(0);
  });

  it('says the phrase only after the caller stopped and the wait for the transcript ended', () => {
    const call = open({ unrecognised }).at(2_000, started(2_000)).at(2_500, ended(2_500));
    expect(call.at(5_499).said).not.toContain('Pardon?');
    expect(call.at(5_500).said).toContain('Pardon?');
  });

  it('says nothing if the transcriber reports that there were no words', () => {
    const call = open({ unrecognised }).at(2_000, started(2_000)).at(2_500, ended(2_500));
    expect(call.at(2_700, call.final('')).at(19_000).said).not.toContain('Pardon?');
    expect(call.count('start_model')).toBe(0);
  });

  it('is off with follow_caller', () => {
    const phrase = readEffectiveTuning({
      voice_polish: { unrecognised_speech: { enabled: true, max_per_call: 2, phrase: 'P' } },
    });
    expect(toCallBehavior(phrase, true).unrecognised).toBeNull();
    expect(toCallBehavior(phrase, false).unrecognised).toEqual({ most: 2, phrase: 'P' });
  });
});

describe('model_unresponsive, the longest time without a reply,', () => {
  const clock = (seconds: number) => asked({ modelUnresponsiveMs: seconds * 1_000 });

  it.each([
    [10, 19_999, undefined],
    [10, 20_000, 'agent_unresponsive'],
    [120, 129_999, undefined],
    [120, 130_000, 'agent_unresponsive'],
  ])('of %d seconds from the end of the turn: at %d ms the end reason is %s', (seconds, now, reason) => {
    const call = clock(seconds).at(now);
    expect(call.ended).toBe(reason);
    if (reason !== undefined) expect(call.detail).toBe('model_unresponsive');
  });

  it.each([
    [23_999, undefined],
    [24_000, 'agent_unresponsive'],
  ])('is paused while the caller speaks for 4 s: at %d ms the end reason is %s', (now, reason) => {
    const call = clock(10)
      .at(12_000, started(12_000))
      .at(16_000, ended(16_000), { type: 'final', segment: 9, text: '' });
    expect(call.at(now).ended).toBe(reason);
  });

  it('is paused while the agent speaks and while a tool runs', () => {
    const call = clock(10).replies(11_000, '', tool('look_up')).at(30_000);
    expect(call.ended).toBeUndefined();
    call.at(31_000, toolEnded);
    expect(call.at(40_999).ended).toBeUndefined();
    expect(call.at(41_000).ended).toBe('agent_unresponsive');
  });

  it('is stopped by the first word of a reply', () => {
    const call = clock(10);
    call.at(19_999, { type: 'model_delta', attempt: call.attempt, text: 'It ' });
    expect(call.at(25_000).ended).toBeUndefined();
  });

  it('continues after an empty reply', () => {
    expect(clock(10).replies(12_000, '').at(20_000).ended).toBe('agent_unresponsive');
  });

  it('does not run before the first turn of the caller', () => {
    const call = Conversation.answered({
      greeting: '',
      firstSpeaker: 'agent',
      noCallerSpeechMs: 120_000,
      conduct: { ...plainBehavior, modelUnresponsiveMs: 10_000 },
    });
    expect(call.at(119_999).ended).toBeUndefined();
  });
});
