import { Conversation, tool } from '../../test/conversation';
import { plainBehavior } from '../../test/plain-behavior';
import type { FollowedLanguage, KeyRules } from './plan';
import { activityOf } from './state';

const started = (since: number) => ({ type: 'speech_started', since }) as const;
const pressed = (digits: string) => ({ type: 'pressed', digits }) as const;

describe('DTMF keys of the caller', () => {
  it.each([
    [5_999, 0],
    [6_000, 1],
  ])('become a turn 4 s after the last one (at %d ms there were %d model requests)', (now, asked) => {
    const call = Conversation.opened({ speculates: false }).at(1_500, pressed('4')).at(2_000, pressed('2')).at(now);
    expect(call.count('start_model')).toBe(asked);
    if (asked === 0) return;
    expect(call.last('start_model').history.at(-1)).toEqual({ role: 'user', text: '[keys pressed: 42]' });
    expect(call.state.transcript.at(-1)).toMatchObject({ speaker: 'caller', text: '', digits: '42' });
  });

  it('become a turn immediately after #', () => {
    expect(Conversation.opened().at(2_000, pressed('42#')).when('start_model')).toBe(2_000);
  });

  const defaults = { betweenMs: 4_000, maxDigits: null, endKey: '#' };
  const turnsOf = (call: Conversation) => call.state.transcript.flatMap(({ digits }) => digits ?? []);
  const pressing = (keys: Partial<KeyRules>, ...times: readonly (readonly [number, string])[]) => {
    const call = Conversation.opened({ speculates: false, keys: { ...defaults, ...keys } });
    for (const [at, digits] of times) call.at(at, pressed(digits));
    return call;
  };

  it.each<[string, Conversation, readonly string[], number]>([
    ['between_seconds', pressing({ betweenMs: 1_000 }, [2_000, '1'], [2_999, '2']).at(3_998), [], 0],
    ['between_seconds', pressing({ betweenMs: 1_000 }, [2_000, '1'], [2_999, '2']).at(3_999), ['12'], 1],
    ['max_digits', pressing({ maxDigits: 2 }, [2_000, '1'], [2_100, '2']), ['12'], 1],
    ['max_digits in one message', pressing({ maxDigits: 2 }, [2_000, '123']), ['12'], 1],
    ['end_key *', pressing({ endKey: '*' }, [2_000, '1#'], [2_100, '*']), ['1#*'], 1],
    ['no end_key', pressing({ endKey: null }, [2_000, '1#*']), [], 0],
    ['keys after complete ones', pressing({}, [2_000, '1#'], [2_100, '2#']), ['1#', '2#'], 2],
    // Somebody who reads a number from a card.
    ['slow keys', pressing({}, [2_000, '1'], [4_300, '2'], [6_600, '3'], [8_900, '4']).at(12_900), ['1234'], 1],
    ['slower keys before the reply is heard', pressing({}, [2_000, '1'], [6_500, '2']).at(10_500), ['12'], 2],
  ])('are complete by %s', (_, call, turns, requests) => {
    expect([turnsOf(call), call.count('start_model'), call.said]).toEqual([turns, requests, ['Good morning.']]);
  });

  it('that continue a turn whose reply is not heard replace it; after the reply they are a new one', () => {
    const call = pressing({}, [2_000, '1']).at(6_000).mute().replies(6_100, 'One?');
    call.at(6_500, pressed('2'));
    expect(call.types()).toContain('stop_utterance');
    call.at(10_500);
    expect(call.last('start_model').history.at(-1)).toEqual({ role: 'user', text: '[keys pressed: 12]' });
    const ids = call.state.transcript.map(({ turn_id: id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    call.sounds = true;
    call.replies(10_600, 'Twelve?').spoken(12_000).at(13_000, pressed('3')).at(17_000);
    expect(turnsOf(call)).toEqual(['12', '3']);
  });

  it('have a reply that is prepared within the wait, and held until they are complete', () => {
    const call = Conversation.opened().at(2_000, pressed('1'));
    const { attempt } = call;
    expect(call.last('start_model')).toMatchObject({ speculative: true, history: [{}, { text: '[keys pressed: 1]' }] });
    call.replies(3_000, 'One?').at(5_999);
    expect(call.all('start_utterance').at(-1)).toMatchObject({ held: true });
    expect(call.types()).not.toContain('release_utterance');
    call.at(6_000);
    expect([call.count('start_model'), call.when('release_utterance')]).toEqual([1, 6_000]);
    const again = Conversation.opened().at(2_000, pressed('1')).replies(3_000, 'One?').at(4_000, pressed('2'));
    expect(again.said).toEqual(['Good morning.', 'One?']);
    expect([again.attempt, again.last('start_model').history.at(-1)?.text]).toEqual([
      attempt + 1,
      '[keys pressed: 12]',
    ]);
  });

  it.each<[Partial<KeyRules> | undefined, number]>([
    [{ maxDigits: 1 }, 12_000],
    [undefined, 16_000],
  ])('follow the rules %j of the question that they answer', (keys, at) => {
    const call = Conversation.asked();
    const done = {
      type: 'model_done',
      attempt: call.attempt,
      ...(keys && { keys: { ...defaults, ...keys } }),
    } as const;
    call.at(10_500, { type: 'model_delta', attempt: call.attempt, text: 'Press 1.' }, done).spoken(11_000);
    call.at(12_000, pressed('1')).at(30_000);
    expect(call.all('start_model').length).toBe(2);
    expect(call.when('start_model')).toBe(at);
  });

  it('interrupt the agent immediately', () => {
    const call = Conversation.asked().replies(11_000, 'Please enter your number.').at(12_000, pressed('1'));
    expect(call.when('stop_utterance')).toBe(12_000);
  });

  it('pause the recording from the first key to the end of the turn', () => {
    const call = Conversation.opened().at(2_000, pressed('4')).at(3_000, pressed('2'));
    expect(call.all('pause_recording')).toEqual([{ type: 'pause_recording', reason: 'keys' }]);
    expect(call.at(6_999).count('resume_recording')).toBe(0);
    expect(call.at(7_000).all('resume_recording')).toEqual([{ type: 'resume_recording', reason: 'keys' }]);
  });

  it('are answered together with the words, if they are pressed while the caller speaks', () => {
    const call = Conversation.opened({ speculates: false }).at(2_000, started(2_000)).at(2_100, pressed('1#'));
    expect(call.count('start_model')).toBe(0);
    call.at(2_500, { type: 'speech_ended', lastVoice: 2_500 }, call.final('')).at(4_000);
    expect(call.last('start_model').history.at(-1)).toEqual({ role: 'user', text: '[keys pressed: 1#]' });
  });

  it('count as speech for no_caller_speech_seconds', () => {
    expect(Conversation.opened().at(2_000, pressed('1#')).at(30_000).ended).toBeUndefined();
  });
});

describe('typed turns', () => {
  it('are answered immediately and interrupt the agent', () => {
    const call = Conversation.asked().replies(11_000, 'It costs ten.').played(11_900, 9);
    call.at(12_000, { type: 'typed', text: ' And two? ' });
    expect(call.types().slice(-2)).toEqual(['stop_utterance', 'start_model']);
    expect(call.last('start_model').history.slice(-2)).toEqual([
      { role: 'assistant', text: 'It costs' },
      { role: 'user', text: 'And two?' },
    ]);
  });

  it('cancel a reply that is being generated; an empty turn is ignored', () => {
    const call = Conversation.asked().at(11_000, { type: 'typed', text: '  ' });
    expect(call.count('start_model')).toBe(1);
    expect(call.at(11_100, { type: 'typed', text: 'Or two?' }).types().slice(-2)).toEqual([
      'cancel_model',
      'start_model',
    ]);
  });
});

describe('live control of a call by an operator', () => {
  const say = (text: string) => ({ type: 'control_say', text }) as const;

  it('says texts verbatim when the agent does not speak', () => {
    const call = Conversation.asked().at(11_000, say('One.'), say('Two.'));
    expect(call.said).toHaveLength(1);
    call.replies(12_000, 'It costs ten.').spoken(13_000);
    expect(call.said.at(-1)).toBe('One.');
    expect(call.spoken(14_000).said.at(-1)).toBe('Two.');
    expect(
      call
        .spoken(15_000)
        .state.transcript.slice(-2)
        .map(({ text }) => text),
    ).toEqual(['One.', 'Two.']);
  });

  it('sends DTMF keys, mutes the agent and pauses the recording', () => {
    const call = Conversation.opened().at(2_000, { type: 'control_press', digits: '5' });
    call.at(2_100, { type: 'control_mute', muted: true }, { type: 'control_mute', muted: true });
    call.at(2_200, { type: 'control_record', paused: true }, pressed('1')).at(9_000);
    expect(call.last('press').digits).toBe('5');
    expect(call.all('set_muted')).toEqual([{ type: 'set_muted', muted: true }]);
    expect(call.state.recordingPauses).toEqual(['control']);
    expect(call.at(9_100, { type: 'control_record', paused: false }).last('resume_recording').reason).toBe('control');
  });
});

it.each([
  ['answered', 1],
  ['permitted', 0],
] as const)('keys of an operator are sent before there is audio, but not before the answer: %s', (last, presses) => {
  const call = new Conversation().at(0, 'permitted').at(100, last, { type: 'control_press', digits: '5' });
  expect(call.count('press')).toBe(presses);
});

describe('spend cap', () => {
  const conduct = { ...plainBehavior, endPhrase: 'Thank you for calling.' };

  it('says end_of_call_phrase ten seconds before, even if the caller speaks, and ends the call', () => {
    const call = Conversation.asked({ conduct, interruptionMs: 150, spendCapMs: 22_000 });
    call.replies(11_000, 'It costs ten.').at(11_999);
    expect(call.said.at(-1)).toBe('It costs ten.');
    expect([call.at(12_000).said.at(-1), call.ended]).toEqual(['Thank you for calling.', undefined]);
    call.says('But wait, what', 12_500, 13_500).at(14_800);
    expect([call.count('stop_utterance'), call.count('start_model')]).toEqual([1, 1]);
    expect(call.spoken(15_000).ended).toBe('spend_cap');
  });

  it('ends the call ten seconds before without end_of_call_phrase, and cancels tools', () => {
    const call = Conversation.asked({ spendCapMs: 22_000 }).replies(11_000, '', tool('look_up')).at(12_000);
    expect([call.ended, call.count('cancel_tool')]).toEqual(['spend_cap', 1]);
  });

  it('ends the call at the cap if end_of_call_phrase was not played by then', () => {
    const call = Conversation.asked({ conduct, spendCapMs: 22_000 }).mute();
    expect([call.at(21_999).ended, call.at(22_000).ended, call.count('complete')]).toEqual([undefined, 'spend_cap', 1]);
  });

  it.each([
    [60_000, 60_001, 60_000, 'max_call_duration_reached'],
    [60_000, 60_000, 60_000, 'max_call_duration_reached'],
    [60_000, 59_999, 49_999, 'spend_cap'],
    [60_000, 19_998, 9_999, 'spend_cap'],
    [60_000, 9_000, 4_500, 'spend_cap'],
  ])(
    'with a longest duration of %d ms and a spend cap of %d ms, the call ends at %d with %s',
    (maxCallMs, spendCapMs, at, reason) => {
      const call = Conversation.answered({ maxCallMs, spendCapMs, noCallerSpeechMs: 120_000 });
      expect([call.at(at - 1).ended, call.at(at).ended]).toEqual([undefined, reason]);
    },
  );

  it('counts from the answer, even before the media stream starts', () => {
    const call = new Conversation({ spendCapMs: 12_000 }).at(0, 'permitted').at(9_000, 'answered');
    expect([call.at(14_999).ended, call.at(15_000).ended]).toEqual([undefined, 'spend_cap']);
  });
});

describe('follow_caller, with which the agent follows the language of the caller,', () => {
  const textsWith = (phrase: string): FollowedLanguage['texts'] => ({
    conduct: { ...plainBehavior, acknowledgement: { delayMs: 600, phrases: [phrase] } },
    voicemailMessage: '',
    fillers: [],
  });
  const languages = [
    { locale: 'en-US', texts: textsWith('Okay.') },
    { locale: 'de-DE', texts: textsWith('Gut.') },
  ];

  it('uses the phrases of the language that the caller changed to', () => {
    const call = Conversation.opened({ ...textsWith('Okay.'), followLanguages: languages, speculates: false });
    call.at(2_000, started(2_000)).at(2_500, { type: 'speech_ended', lastVoice: 2_500 }, call.final('Hello', 'en'));
    call.at(3_300).at(3_900);
    expect(call.last('say_aside').text).toBe('Okay.');
    call.replies(4_000, 'Hi.').spoken(4_600).at(5_000, started(5_000));
    call
      .at(5_500, { type: 'speech_ended', lastVoice: 5_500 }, call.final('Guten Tag, was kostet es?', 'de'))
      .at(6_300)
      .at(6_900);
    expect(call.last('say_aside').text).toBe('Gut.');
  });

  it('changes to the language of the caller if the agent has it', () => {
    const call = Conversation.opened({ language: 'en-US', followLanguages: languages, speculates: false });
    call.at(2_000, started(2_000)).at(2_500, { type: 'speech_ended', lastVoice: 2_500 }, call.final('Bonjour', 'fr'));
    expect(call.count('set_language')).toBe(0);
    call.at(3_300).replies(3_400, 'Hi.').spoken(4_000).at(5_000, started(5_000));
    call.at(5_500, { type: 'speech_ended', lastVoice: 5_500 }, call.final('Guten Tag, was kostet es?', 'de')).at(6_300);
    expect(call.all('set_language')).toEqual([{ type: 'set_language', language: 'de-DE' }]);
    call.replies(6_400, 'Guten Tag.');
    expect(call.last('start_utterance').language).toBe('de-DE');
  });

  const finals = (...texts: readonly (readonly [string, string])[]) => {
    const call = Conversation.opened({ language: 'en-US', followLanguages: languages, speculates: false });
    for (const [nth, [text, language]] of texts.entries()) {
      const at = 2_000 + nth * 2_000;
      call.at(at, started(at)).at(at + 500, { type: 'speech_ended', lastVoice: at + 500 }, call.final(text, language));
    }
    return call
      .at(20_000)
      .all('set_language')
      .map(({ language }) => language);
  };

  it.each<[string, readonly string[], readonly string[]]>([
    ['one short text', finals(['Hans', 'de']), []],
    ['one of three words', finals(['Ja bitte gern', 'de']), []],
    ['one of four words', finals(['Ja, was kostet es?', 'de']), ['de-DE']],
    ['two short texts', finals(['Ja', 'de'], ['Bitte', 'de']), ['de-DE']],
    ['two with one of the present language between them', finals(['Ja', 'de'], ['Yes', 'en'], ['Ja', 'de']), []],
    ['two with one of a third language between them', finals(['Ja', 'de'], ['Oui', 'fr'], ['Ja', 'de']), []],
    ['two, the second without words', finals(['Ja', 'de'], ['', 'de']), []],
    [
      'one short text each way',
      finals(['Was kostet es jetzt?', 'de'], ['No.', 'en'], ['Ja.', 'de'], ['No.', 'en']),
      ['de-DE'],
    ],
    ['a language that the agent does not have', finals(['Combien est-ce que cela coûte ?', 'fr']), []],
  ])('changes the language by evidence: %s', (_, changes, expected) => {
    expect(changes).toEqual(expected);
  });

  it.each([
    ['今天的天气怎么样？', 'de-DE'],
    ['好', undefined],
  ])('counts the words of scripts without spaces: %s', (text, expected) => {
    expect(finals([text, 'de'])[0]).toBe(expected);
  });

  it('tells the model the language; without follow_caller it does not', () => {
    const call = Conversation.opened({ language: 'en-US', followLanguages: languages, speculates: false });
    call.says('Hello', 2_000, 3_000).at(4_000);
    expect(call.last('start_model').language).toBe('en-US');
    call.at(5_000, started(5_000));
    call.at(5_500, { type: 'speech_ended', lastVoice: 5_500 }, call.final('Was kostet es jetzt?', 'de')).at(7_000);
    expect(call.last('start_model').language).toBe('de-DE');
    expect(Conversation.asked().last('start_model')).not.toHaveProperty('language');
  });

  it('does not change the language if it is disabled', () => {
    const call = Conversation.opened().at(2_000, started(2_000));
    call.at(2_500, { type: 'speech_ended', lastVoice: 2_500 }, call.final('Guten Tag', 'de'));
    expect(call.count('set_language')).toBe(0);
  });
});

it('activityOf returns thinking, speaking or listening', () => {
  const call = Conversation.asked();
  expect(activityOf(call.state)).toBe('thinking');
  expect(activityOf(call.replies(11_000, 'It costs ten.').state)).toBe('speaking');
  expect(activityOf(call.spoken(12_000).state)).toBe('listening');
});
