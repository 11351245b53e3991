import { readEffectiveTuning } from '@parley/contract';
import type { CallAction } from './call-state';
import { conductOf, plainConduct, type Conduct } from '../core/conduct';
import { nextDeadline } from './step';
import { Rehearsal } from '../../test/rehearsal';

/** A call that has been opened and in which the caller has asked something that ended at `second * 1000`. */
function asked(conduct: Partial<Conduct>, second = 10): Rehearsal {
  const call = Rehearsal.answered({ conduct: { ...plainConduct, ...conduct }, endOfTurnMs: 800 });
  call.says('Hello?', 500, 1_000).at(1_800, 'tick').spoken(4_000);
  return call.says('What does it cost?', second * 1_000 - 1_000, second * 1_000 - 800).at(second * 1_000, 'tick');
}

const countOf = (call: Rehearsal, type: CallAction['type']): number =>
  call.actions.filter((action) => action.type === type).length;

const turn = (call: Rehearsal): number => call.last('think').turn;

describe('2.6 end_of_call_phrase spoken', () => {
  it.each(['Goodbye.', ''])('after the last reply %j, once, and then the agent hangs up', (reply) => {
    const call = asked({ endPhrase: 'Thank you for calling.' }).replies(11_000, reply, true);
    if (reply !== '') call.spoken(12_000);
    expect(call.last('speak').text).toBe('Thank you for calling.');
    expect(call.ended).toBeUndefined();
    expect(call.spoken(14_000).ended).toBe('agent_hung_up');
    expect(call.actions.filter((action) => action.type === 'speak' && /Thank you/.test(action.text))).toHaveLength(1);
  });

  it('is not there where none was set', () => {
    expect(asked({}).replies(11_000, 'Goodbye.', true).spoken(12_000).ended).toBe('agent_hung_up');
  });
});

describe('2.6 acknowledgements once a turn', () => {
  const acknowledgement = { delayMs: 1_200, phrases: ['One moment.', 'Let me see.'] };

  it('after the delay, on a track of its own, once, and cut when the reply starts', () => {
    const call = asked({ acknowledgement }).at(11_199, 'tick');
    expect(countOf(call, 'say_beside')).toBe(0);
    call.at(11_200, 'tick').at(20_000, 'tick');
    expect(countOf(call, 'say_beside')).toBe(1);
    expect(call.last('say_beside').text).toBe('One moment.');
    expect(countOf(call, 'stop_beside')).toBe(0);
    call.replies(20_500, 'Ten.');
    expect(call.types().slice(-2)).toEqual(['stop_beside', 'speak']);
    expect(call.state.transcript.some(({ text }) => text === 'One moment.')).toBe(false);
  });

  it('not for a reply that was there before it, nor when the caller speaks on', () => {
    const quick = asked({ acknowledgement }).replies(11_100, 'Ten.').at(15_000, 'tick');
    const interrupted = asked({ acknowledgement }).at(11_000, 'speech_started').at(15_000, 'tick');
    expect([countOf(quick, 'say_beside'), countOf(interrupted, 'say_beside')]).toEqual([0, 0]);
  });

  it('the next turn has its own, with the next phrase', () => {
    const call = asked({ acknowledgement }).at(11_200, 'tick').replies(12_000, 'Ten.').spoken(13_000);
    call.says('And two?', 14_000, 14_500).at(15_300, 'tick').at(16_500, 'tick');
    expect(call.last('say_beside').text).toBe('Let me see.');
  });

  it('2.6 acknowledgements by language: without phrases it stays silent', () => {
    const enabled = { enabled: true, delay_ms: 1_200, phrases: [] };
    expect(
      conductOf(readEffectiveTuning({ voice_polish: { acknowledgements: enabled } }), false).acknowledgement,
    ).toBeNull();
    const off = { ...enabled, enabled: false, phrases: ['Yes.'] };
    expect(
      conductOf(readEffectiveTuning({ voice_polish: { acknowledgements: off } }), false).acknowledgement,
    ).toBeNull();
    expect(countOf(asked({}).at(30_000, 'tick'), 'say_beside')).toBe(0);
  });
});

describe('2.6 tool wait', () => {
  const toolWait = {
    mode: 'acknowledge' as const,
    delayMs: 1_000,
    phrases: ['Hm.'],
    soundMs: 15_000,
    silentTools: ['end_call', 'transfer_call'],
  };
  const running = (call: Rehearsal, tool: string, at = 10_500) =>
    call.at(at, { type: 'tool_started', turn: turn(call), tool });

  it('2.6 tool wait once: a phrase after the delay, at most one a wait', () => {
    const call = running(asked({ toolWait }), 'look_up').at(11_499, 'tick');
    expect(countOf(call, 'say_beside')).toBe(0);
    expect(countOf(call.at(11_500, 'tick').at(40_000, 'tick'), 'say_beside')).toBe(1);
  });

  it.each(['end_call', 'transfer_call'])('2.6 tool wait once: never for %s', (tool) => {
    for (const mode of ['acknowledge', 'sound'] as const) {
      const call = running(asked({ toolWait: { ...toolWait, mode } }), tool).at(40_000, 'tick');
      expect([countOf(call, 'say_beside'), countOf(call, 'typing_sound')]).toEqual([0, 0]);
    }
  });

  it('2.6 tool wait sound: after the delay, cut when the tool ends', () => {
    const call = running(asked({ toolWait: { ...toolWait, mode: 'sound' } }), 'look_up').at(11_499, 'tick');
    expect(countOf(call, 'typing_sound')).toBe(0);
    call.at(11_500, 'tick');
    expect([countOf(call, 'typing_sound'), countOf(call, 'stop_beside')]).toEqual([1, 0]);
    call.at(13_000, { type: 'tool_ended', turn: turn(call) }).at(60_000, 'tick');
    expect([countOf(call, 'typing_sound'), countOf(call, 'stop_beside')]).toEqual([1, 1]);
  });

  it('2.6 tool wait sound: 15 seconds at most', () => {
    const call = running(asked({ toolWait: { ...toolWait, mode: 'sound' } }), 'look_up').at(26_499, 'tick');
    expect(countOf(call, 'stop_beside')).toBe(0);
    expect(countOf(call.at(26_500, 'tick'), 'stop_beside')).toBe(1);
  });

  it('a tool that is quick is not heard, and one of an old turn starts nothing', () => {
    const quick = running(asked({ toolWait }), 'look_up');
    quick.at(11_000, { type: 'tool_ended', turn: turn(quick) }).at(40_000, 'tick');
    const stale = asked({ toolWait }).at(10_500, { type: 'tool_started', turn: 0, tool: 'look_up' }).at(40_000, 'tick');
    expect([countOf(quick, 'say_beside'), countOf(stale, 'say_beside')]).toEqual([0, 0]);
  });
});

describe('2.6 unrecognised speech spoken', () => {
  const unrecognised = { most: 2, phrase: 'Sorry, could you say that again?' };

  const mumbled = (call: Rehearsal, at: number) => call.says('', at, at + 500).at(at + 1_300, 'tick');

  it('word for word, up to max_per_call; the model is not asked and the call goes on', () => {
    const call = Rehearsal.answered({ conduct: { ...plainConduct, unrecognised } });
    call.says('Hello?', 500, 1_000).at(1_800, 'tick').spoken(4_000);
    for (const at of [5_000, 10_000, 15_000]) {
      mumbled(call, at);
      if (call.state.agent.doing === 'speaking') call.spoken(at + 3_000);
    }
    expect(
      call.actions.filter((action) => action.type === 'speak' && action.text === unrecognised.phrase),
    ).toHaveLength(2);
    expect(countOf(call, 'think')).toBe(0);
    expect(call.ended).toBeUndefined();
  });

  it('after the wait for a transcript that never comes', () => {
    const call = Rehearsal.answered({ conduct: { ...plainConduct, unrecognised } });
    call.says('Hello?', 500, 1_000).at(1_800, 'tick').spoken(4_000);
    call.at(5_000, 'speech_started').at(5_500, 'speech_ended').at(9_299, 'tick');
    expect(call.last('speak').text).not.toBe(unrecognised.phrase);
    expect(call.at(9_300, 'tick').last('speak').text).toBe(unrecognised.phrase);
  });

  it('not where it is off, nor while following the caller', () => {
    const section = { enabled: true, max_per_call: 2, phrase: 'Sorry?' };
    expect(
      conductOf(readEffectiveTuning({ voice_polish: { unrecognised_speech: section } }), false).unrecognised,
    ).toEqual({
      most: 2,
      phrase: 'Sorry?',
    });
    expect(
      conductOf(readEffectiveTuning({ voice_polish: { unrecognised_speech: section } }), true).unrecognised,
    ).toBeNull();
    expect(
      conductOf(readEffectiveTuning({ voice_polish: { unrecognised_speech: { ...section, enabled: false } } }), false)
        .unrecognised,
    ).toBeNull();
    const call = Rehearsal.answered().says('Hello?', 500, 1_000).at(1_800, 'tick').spoken(4_000);
    expect(countOf(mumbled(call, 5_000), 'speak')).toBe(1);
  });
});

describe('2.6 model_unresponsive clock', () => {
  const modelUnresponsiveMs = 10_000;

  it('2.7 agent_unresponsive: ends a call whose reply does not come', () => {
    const call = asked({ modelUnresponsiveMs }).at(19_999, 'tick');
    expect(call.ended).toBeUndefined();
    expect(call.at(20_000, 'tick').ended).toBe('agent_unresponsive');
    expect(call.last('report').event.reason_detail).toBe('model_unresponsive');
  });

  it('counts free line time alone: it rests while the caller speaks and goes on from where it was', () => {
    const call = asked({ modelUnresponsiveMs }).says('Are you there?', 14_000, 16_000).at(16_800, 'tick');
    expect(call.at(21_999, 'tick').ended).toBeUndefined();
    expect(call.at(22_000, 'tick').ended).toBe('agent_unresponsive');
  });

  it('rests while a tool runs', () => {
    const call = asked({ modelUnresponsiveMs });
    call.at(15_000, { type: 'tool_started', turn: turn(call), tool: 'look_up' }).at(45_000, 'tick');
    expect(call.ended).toBeUndefined();
    call.at(45_000, { type: 'tool_ended', turn: turn(call) });
    expect(call.at(49_999, 'tick').ended).toBeUndefined();
    expect(call.at(50_000, 'tick').ended).toBe('agent_unresponsive');
  });

  it('is cleared when the agent produces anything', () => {
    const call = asked({ modelUnresponsiveMs }).replies(19_000, 'Ten.').spoken(40_000).at(100_000, 'tick');
    expect(call.ended).toBeUndefined();
    const key = asked({ modelUnresponsiveMs });
    key.at(19_000, { type: 'replied', turn: turn(key), text: '', endsCall: false, press: '0' }).at(100_000, 'tick');
    expect(key.ended).toBeUndefined();
  });

  it('goes on where the reply is without a word and without a key', () => {
    const call = asked({ modelUnresponsiveMs }).replies(19_000, '').at(19_999, 'tick');
    expect(call.ended).toBeUndefined();
    expect(call.at(20_000, 'tick').ended).toBe('agent_unresponsive');
  });

  it('does not run before the first turn of the caller, and never where it is off', () => {
    const conduct = { ...plainConduct, modelUnresponsiveMs };
    const opening = Rehearsal.answered({ conduct, greeting: '', firstSpeaker: 'agent', noCallerSpeechMs: 120_000 });
    expect(opening.at(100_000, 'tick').ended).toBeUndefined();
    expect(asked({}).at(129_999, 'tick').ended).toBeUndefined();
  });
});

describe('2.6 AgentNavigation', () => {
  const navigation = { maxMenuMs: 20_000, maxHoldMs: 60_000 };
  const conduct = { ...plainConduct, navigation };
  const menu = 'For sales press one. For anything else stay on the line.';

  /** In the menu from second 2 on. */
  const inMenu = (change: Partial<Conduct> = {}) =>
    Rehearsal.answered({
      conduct: { ...conduct, ...change },
      noCallerSpeechMs: 120_000,
      nonHumanAudio: 'end_call',
    }).says(menu, 500, 2_000);

  it('2.6 navigation limit, 2.7 navigation_limit, 2.7 ivr_timeout: ends a call that stays in menus', () => {
    expect(inMenu().at(21_999, 'tick').ended).toBeUndefined();
    const call = inMenu().at(22_000, 'tick');
    expect(call.ended).toBe('ivr_timeout');
    expect(call.last('report').event.reason_detail).toBe('navigation_limit');
  });

  it('2.6 hold limit, 2.7 hold_limit: ends a call that stays on hold', () => {
    const call = inMenu().at(10_000, 'music_started').at(69_999, 'tick');
    expect(call.ended).toBeUndefined();
    expect(call.at(70_000, 'tick').ended).toBe('ivr_timeout');
    expect(call.last('report').event.reason_detail).toBe('hold_limit');
  });

  it('menu time and hold time are counted separately, over the whole call', () => {
    // 8 s in the menu, 50 s on hold, then the menu again: 12 s are left of it.
    const call = inMenu().at(10_000, 'music_started').at(60_000, 'music_ended').says(menu, 58_000, 60_000);
    expect(call.at(71_999, 'tick').ended).toBeUndefined();
    expect(call.at(72_000, 'tick').ended).toBe('ivr_timeout');
    expect(call.last('report').event.reason_detail).toBe('navigation_limit');
  });

  it('2.6 non-human ending suspended: on hold music ends nothing; out of nowhere it does', () => {
    expect(inMenu().at(10_000, 'music_started').at(60_000, 'tick').ended).toBeUndefined();
    const nowhere = Rehearsal.answered({
      conduct,
      nonHumanAudio: 'end_call',
      noCallerSpeechMs: 120_000,
      firstSpeaker: 'agent',
    });
    expect(nowhere.at(1_000, 'music_started').at(60_000, 'tick').ended).toBe('no_human_after_answer');
  });

  it('a person ends both clocks', () => {
    const call = inMenu().at(10_000, 'music_started').says('Hello, this is Sam.', 20_000, 21_000).at(100_000, 'tick');
    expect(call.ended).toBeUndefined();
  });

  it('presses what the model chooses', () => {
    const call = inMenu().at(2_800, 'tick').spoken(5_000).says(menu, 6_000, 7_000).at(7_800, 'tick');
    call.at(8_500, { type: 'replied', turn: turn(call), text: '', endsCall: false, press: '0' });
    expect(call.last('press').digits).toBe('0');
  });

  it('2.6 outbound calls alone: a call that does not navigate knows neither limit', () => {
    const call = Rehearsal.answered({ noCallerSpeechMs: 120_000 })
      .says(menu, 500, 2_000)
      .at(10_000, 'music_started')
      .at(900_000, 'tick');
    expect(call.ended).toBeUndefined();
    expect(
      conductOf(
        readEffectiveTuning({ navigation: { active: false, max_hold_seconds: 600, max_navigation_seconds: 180 } }),
        false,
      ).navigation,
    ).toBeNull();
    expect(
      conductOf(
        readEffectiveTuning({ navigation: { active: true, max_hold_seconds: 600, max_navigation_seconds: 180 } }),
        false,
      ).navigation,
    ).toEqual({
      maxMenuMs: 180_000,
      maxHoldMs: 600_000,
    });
  });
});

it('2.6 fillers: do not count towards an interruption', () => {
  const speaking = (text: string) => {
    const call = Rehearsal.answered({ fillers: ['uh-huh', 'yeah'], interruptionWords: 1 });
    call.says('Hello?', 500, 1_000).at(1_800, 'tick');
    return call.at(2_000, 'speech_started').at(2_600, 'tick').at(2_700, 'speech_ended', { type: 'transcribed', text });
  };
  expect(countOf(speaking('Yeah, uh-huh.'), 'stop_speaking')).toBe(0);
  expect(countOf(speaking('Yeah, wait.'), 'stop_speaking')).toBe(1);
});

it('2.6 voicemail runs as shadow: a mailbox ends nothing', () => {
  const call = Rehearsal.answered({ noCallerSpeechMs: 120_000 });
  call.says('Please leave a message after the tone.', 500, 3_000).at(3_200, 'tone').at(4_000, 'caller_hung_up');
  expect(call.last('complete').outcome.classification).toBe('voicemail');
  expect(call.ended).toBe('callee_hung_up');
  expect(nextDeadline(call.state)).toBeUndefined();
});

describe('the time in menus and on hold', () => {
  const navigation = { maxMenuMs: 60_000, maxHoldMs: 60_000 };
  const menu = 'For sales press one.';
  const navigates = (): Rehearsal =>
    Rehearsal.answered({ conduct: { ...plainConduct, navigation }, noCallerSpeechMs: 120_000, firstSpeaker: 'agent' });

  it.each<[string, (call: Rehearsal) => Rehearsal, { menu_ms: number; hold_ms: number }]>([
    ['a person from the start', (call) => call.says('Hello?', 500, 1_000), { menu_ms: 0, hold_ms: 0 }],
    ['a menu to the end', (call) => call.says(menu, 500, 2_000), { menu_ms: 18_000, hold_ms: 0 }],
    [
      'a menu, then a queue to the end',
      (call) => call.says(menu, 500, 2_000).at(5_000, 'music_started'),
      { menu_ms: 3_000, hold_ms: 15_000 },
    ],
    [
      'a menu, a queue, another menu, a person',
      (call) =>
        call
          .says(menu, 500, 2_000)
          .at(5_000, 'music_started')
          .says(menu, 8_000, 9_000)
          .says('Hello, this is Sam.', 12_000, 13_000),
      { menu_ms: 7_000, hold_ms: 4_000 },
    ],
  ])('is reported with the end of a call that navigates: %s', (_, act, expected) => {
    const call = act(navigates()).at(20_000, 'caller_hung_up');
    expect(call.last('report').event.navigation).toEqual(expected);
  });

  it('is not reported of a call that does not navigate', () => {
    const call = Rehearsal.answered().says(menu, 500, 2_000).at(19_000, 'caller_hung_up');
    expect(call.last('report').event).not.toHaveProperty('navigation');
  });
});
