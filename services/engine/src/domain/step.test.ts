import { Rehearsal } from '../../test/rehearsal';
import type { CallPlan } from './call-plan';
import type { CallInput } from './call-state';
import { nextDeadline, step } from './step';

describe('the permit', () => {
  it('is asked for first; the carrier is called only when it is acknowledged', () => {
    const call = new Rehearsal();
    expect(call.types()).toEqual(['dialing']);
    expect(call.at(5, 'permitted').types()).toEqual(['dialing', 'dial']);
  });

  it.each<[string, CallInput['type'][], string[]]>([
    ['refused: nothing is dialled or written', ['refused'], ['drop']],
    ['lost before it came: nothing is dialled or hung up', ['lease_lost'], ['drop']],
    ['acknowledged twice: dialled once', ['permitted', 'permitted'], ['dial']],
    ['acknowledged after a cancellation: never dialled', ['cancel_requested', 'permitted'], ['failed', 'complete']],
    ['acknowledged after the lease was lost: never dialled', ['lease_lost', 'permitted'], ['drop']],
  ])('%s', (_, inputs, expected) => {
    expect(new Rehearsal().at(1, ...inputs).types()).toEqual(['dialing', ...expected]);
  });
});

describe('calls that nobody answers', () => {
  it.each(['busy', 'no_answer', 'carrier_failure'] as const)(
    '%s fails, without transcript and classification',
    (reason) => {
      const call = new Rehearsal().at(0, 'permitted').at(10, { type: 'failed', reason });
      expect(call.types()).toEqual(['dialing', 'dial', 'failed', 'complete']);
      expect(call.ended).toBe(reason);
      expect(call.last('complete').outcome).toEqual({
        transcript: null,
        classification: '',
        classificationDetail: '',
        mailboxProof: null,
      });
    },
  );

  it('a cancellation while it rings hangs up', () => {
    const call = new Rehearsal().at(0, 'permitted').at(10, 'cancel_requested');
    expect(call.types()).toEqual(['dialing', 'dial', 'hang_up', 'failed', 'complete']);
    expect(call.ended).toBe('canceled');
  });
});

describe('2.6 AgentOpening: callee first', () => {
  it.each([
    [1_000, 999, false],
    [1_000, 1_000, true],
    [2_000, 1_999, false],
    [2_000, 2_000, true],
    [5_000, 4_999, false],
    [5_000, 5_000, true],
  ])('a silence of %i ms: at %i the agent speaks: %s', (silenceWaitMs, now, speaks) => {
    const call = Rehearsal.answered({ silenceWaitMs }).at(now, 'tick');
    expect(call.types().includes('speak')).toBe(speaks);
  });

  it('waits from the first sound, not from the answer', () => {
    const call = new Rehearsal().at(0, 'permitted').at(1_000, 'answered').at(1_500, 'media_started');
    expect(call.at(3_499, 'tick').types()).not.toContain('speak');
    expect(call.at(3_500, 'tick').types()).toContain('speak');
  });

  it('lets the callee finish, then says the greeting as its answer', () => {
    const call = Rehearsal.answered().says('Hello?', 1_900, 2_500);
    expect(call.at(3_299, 'tick').types()).not.toContain('speak');
    expect(call.at(3_300, 'tick').last('speak').text).toBe('Good morning.');
    expect(call.types()).not.toContain('think');
  });

  it('opens after a noise that was no word', () => {
    expect(Rehearsal.answered().says('', 1_000, 1_200).at(2_000, 'tick').last('speak').text).toBe('Good morning.');
  });
});

describe('2.6 AgentOpening: agent first', () => {
  it('speaks with the first sound and does not wait', () => {
    const call = Rehearsal.answered({ firstSpeaker: 'agent', silenceWaitMs: 5_000 });
    expect(call.types()).toEqual(['dialing', 'dial', 'answered', 'media_started', 'speak']);
  });

  it('lets the model find the first words when there is no greeting', () => {
    const call = Rehearsal.answered({ firstSpeaker: 'agent', greeting: '' });
    expect(call.types().at(-1)).toBe('think');
    expect(call.replies(10, 'Hi.').last('speak').text).toBe('Hi.');
  });

  it('says the greeting once', () => {
    const call = Rehearsal.answered({ firstSpeaker: 'agent' })
      .spoken(1_000)
      .says('Hello?', 2_000, 2_500)
      .at(3_300, 'tick');
    expect(call.types().filter((type) => type === 'speak')).toHaveLength(1);
    expect(call.types().at(-1)).toBe('think');
  });
});

describe('8: max_call_seconds', () => {
  const busyLine = (maxCallMs: number) => Rehearsal.answered({ maxCallMs }).says('Hello?', 100, 200);

  it.each([
    [60_000, 59_999, undefined],
    [60_000, 60_000, 'max_call_duration_reached'],
    [1_740_000, 1_739_999, undefined],
    [1_740_000, 1_740_000, 'max_call_duration_reached'],
  ])('a limit of %i ms: at %i the call ended with %s', (maxCallMs, now, reason) => {
    const call = busyLine(maxCallMs).at(now, 'tick');
    expect(call.ended).toBe(reason);
    expect(call.types().includes('hang_up')).toBe(reason !== undefined);
  });

  it('counts from the answer', () => {
    const call = new Rehearsal({ maxCallMs: 60_000, noCallerSpeechMs: 120_000 })
      .at(0, 'permitted')
      .at(9_000, 'answered')
      .at(12_000, 'media_started');
    expect(call.at(68_999, 'tick').ended).toBeUndefined();
    expect(call.at(69_000, 'tick').ended).toBe('max_call_duration_reached');
  });

  it('ends in the middle of a sentence, whatever comes late', () => {
    const call = Rehearsal.answered({ firstSpeaker: 'agent', maxCallMs: 60_000, noCallerSpeechMs: 120_000 });
    call.at(61_000, { type: 'spoken', turn: 1 }, 'speech_started', 'caller_hung_up');
    expect(call.ended).toBe('max_call_duration_reached');
    expect(call.types().filter((type) => type === 'complete')).toHaveLength(1);
    expect(call.last('complete').outcome.transcript?.[0]?.ended_ms).toBe(60_000);
  });
});

describe('8: no_caller_speech_seconds', () => {
  it.each([
    [10_000, 9_999, undefined],
    [10_000, 10_000, 'no_caller_speech_after_answer'],
    [120_000, 119_999, undefined],
    [120_000, 120_000, 'no_caller_speech_after_answer'],
  ])('a limit of %i ms: at %i the call ended with %s', (noCallerSpeechMs, now, reason) => {
    expect(Rehearsal.answered({ noCallerSpeechMs }).at(now, 'tick').ended).toBe(reason);
  });

  it('does not apply any more once the other party was heard, a moment before the limit', () => {
    const call = Rehearsal.answered()
      .at(19_999, 'speech_started')
      .at(20_100, 'speech_ended', { type: 'transcribed', text: '' });
    expect(call.at(1_000_000, 'tick').ended).toBeUndefined();
  });

  it('music and a tone are not speech', () => {
    expect(Rehearsal.answered().at(100, 'music_started').at(5_000, 'tone').at(20_000, 'tick').ended).toBe(
      'no_caller_speech_after_answer',
    );
  });

  it('the agent speaking is not the caller', () => {
    const call = Rehearsal.answered({ firstSpeaker: 'agent' }).spoken(3_000).at(20_000, 'tick');
    expect(call.ended).toBe('no_caller_speech_after_answer');
  });
});

describe('2.6 AgentTurnTaking: the end of a turn', () => {
  const talking = (change: Partial<CallPlan> = {}) =>
    Rehearsal.answered({ firstSpeaker: 'agent', ...change }).spoken(1_000);

  it.each([260, 600, 800, 1_100, 1_800])('comes after a silence of %i ms, not earlier', (endOfTurnMs) => {
    const call = talking({ endOfTurnMs }).says('Well', 2_000, 2_500);
    expect(call.at(2_500 + endOfTurnMs - 1, 'tick').types()).not.toContain('think');
    expect(call.at(2_500 + endOfTurnMs, 'tick').types()).toContain('think');
  });

  it('never comes before the final transcript', () => {
    const call = talking().at(2_000, 'speech_started').at(2_500, 'speech_ended').at(6_299, 'tick');
    expect(call.types()).not.toContain('think');
    expect(call.at(6_299, { type: 'transcribed', text: 'Well' }).types()).toContain('think');
  });

  it('answers words that come after their turn was closed without them', () => {
    const call = talking().at(2_000, 'speech_started').at(2_500, 'speech_ended').at(9_000, 'tick');
    expect(call.types()).not.toContain('think');
    call.at(9_100, { type: 'transcribed', text: 'Well' });
    expect(call.last('think').said.at(-1)).toMatchObject({ text: 'Well', started_ms: 2_500, ended_ms: 2_500 });
  });

  it('a pause shorter than that joins two parts of one turn', () => {
    const call = talking().says('I would like', 2_000, 2_500).says('to book a table.', 3_299, 4_000).at(4_800, 'tick');
    expect(call.last('think').said.at(-1)).toEqual({
      speaker: 'caller',
      text: 'I would like to book a table.',
      started_ms: 2_000,
      ended_ms: 4_000,
      language: 'en-US',
    });
  });

  it('the caller going on makes a thought stale', () => {
    const call = talking().says('Hello', 2_000, 2_500).at(3_300, 'tick');
    const { turn } = call.last('think');
    call.at(3_400, 'speech_started', { type: 'replied', turn, text: 'stale', endsCall: false });
    expect(call.types().filter((type) => type === 'speak')).toHaveLength(1);
    call.at(3_900, 'speech_ended', { type: 'transcribed', text: 'again' }).at(4_700, 'tick');
    expect(
      call
        .last('think')
        .said.slice(-2)
        .map(({ text }) => text),
    ).toEqual(['Hello', 'again']);
    expect(call.replies(4_800, 'fresh').last('speak').text).toBe('fresh');
  });

  it('a turn without a word is not answered', () => {
    expect(talking().says('  ', 2_000, 2_500).at(9_000, 'tick').types()).not.toContain('think');
  });
});

describe('2.6 AgentTurnTaking: interruptions', () => {
  const speaking = (change: Partial<CallPlan> = {}) => Rehearsal.answered({ firstSpeaker: 'agent', ...change });

  it.each([
    [150, 149, false],
    [150, 150, true],
    [500, 499, false],
    [500, 500, true],
    [750, 749, false],
    [750, 750, true],
  ])('with a threshold of %i ms, %i ms of speech interrupt: %s', (interruptionMs, spokenMs, interrupts) => {
    const call = speaking({ interruptionMs })
      .at(1_000, 'speech_started')
      .at(1_000 + spokenMs, 'speech_ended');
    expect(call.types().includes('stop_speaking')).toBe(interrupts);
  });

  it('needs the words besides, where words are asked for', () => {
    const call = speaking({ interruptionWords: 2 }).at(1_000, 'speech_started').at(2_000, 'speech_ended');
    expect(call.at(2_010, { type: 'transcribed', text: 'wait' }).types()).not.toContain('stop_speaking');
    const other = speaking({ interruptionWords: 2 }).at(1_000, 'speech_started').at(2_000, 'speech_ended');
    expect(other.at(2_010, { type: 'transcribed', text: 'wait please' }).types()).toContain('stop_speaking');
  });

  it('an interrupted agent answers what was said, and its turn ends where it was cut', () => {
    const call = speaking().says('No, listen', 1_000, 1_800).at(2_600, 'tick');
    expect(call.types().slice(-2)).toEqual(['stop_speaking', 'think']);
    expect(call.last('think').said).toMatchObject([
      { speaker: 'agent', started_ms: 0, ended_ms: 1_500 },
      { speaker: 'caller', text: 'No, listen' },
    ]);
  });

  it('a listening noise is written down and not answered', () => {
    const call = speaking().says('Mhm', 1_000, 1_200).at(2_000, 'tick').spoken(3_000);
    expect(call.types()).not.toContain('stop_speaking');
    expect(call.types()).not.toContain('think');
    expect(call.state.transcript.map(({ text }) => text)).toEqual(['Good morning.', 'Mhm']);
  });

  it('the end of an interrupted sentence is not taken for the end of a later one', () => {
    const call = speaking();
    const { turn } = call.last('speak');
    call.says('No', 1_000, 1_800).at(2_600, 'tick').replies(2_700, 'Sorry.');
    call.at(2_800, { type: 'spoken', turn });
    expect(call.state.agent.doing).toBe('speaking');
  });
});

describe('how a call ends', () => {
  const talking = () =>
    Rehearsal.answered({ firstSpeaker: 'agent' }).spoken(1_000).says('Bye', 2_000, 2_500).at(3_300, 'tick');

  it.each<[string, (call: Rehearsal) => Rehearsal, string, boolean]>([
    ['the caller hangs up', (call) => call.at(4_000, 'caller_hung_up'), 'callee_hung_up', false],
    [
      'the agent hangs up after its last words',
      (call) => call.replies(4_000, 'Bye.', true).spoken(5_000),
      'agent_hung_up',
      true,
    ],
    ['the agent hangs up without a word', (call) => call.replies(4_000, '', true), 'agent_hung_up', true],
    ['the record is canceled', (call) => call.at(4_000, 'cancel_requested'), 'canceled', true],
    [
      'the carrier loses the call',
      (call) => call.at(4_000, { type: 'failed', reason: 'carrier_failure' }),
      'carrier_failure',
      false,
    ],
  ])('%s', (_, act, reason, hangsUp) => {
    const call = act(talking());
    expect(call.ended).toBe(reason);
    expect(call.types().includes('hang_up')).toBe(hangsUp);
    expect(call.types().slice(-2)).toEqual(['ended', 'complete']);
    expect(nextDeadline(call.state)).toBeUndefined();
  });

  it('waits for the last words before it hangs up', () => {
    expect(talking().replies(4_000, 'Bye.', true).at(4_999, 'tick').ended).toBeUndefined();
  });

  it('2.6 model_unresponsive ending, 2.7 agent_unresponsive: a model that fails ends the call with its detail', () => {
    const call = talking();
    call.at(4_000, { type: 'reply_failed', turn: call.last('think').turn });
    expect(call.last('report').event).toEqual({
      type: 'ended',
      ended_reason: 'agent_unresponsive',
      reason_detail: 'model_unresponsive',
      elapsed_ms: 4_000,
    });
  });

  it('a lost lease hangs up and writes nothing more', () => {
    const call = talking().at(4_000, 'lease_lost');
    expect(call.types().slice(-2)).toEqual(['hang_up', 'drop']);
    expect(call.types()).not.toContain('complete');
    expect(call.at(5_000, 'caller_hung_up', 'tick').types().at(-1)).toBe('drop');
  });

  it('nothing happens after the end', () => {
    const call = talking().at(4_000, 'caller_hung_up');
    const before = call.actions.length;
    call.at(9_000_000, 'tick', 'speech_started', 'cancel_requested', 'lease_lost', 'answered', 'permitted');
    expect(call.actions).toHaveLength(before);
  });

  it('keeps what the caller was saying when the line went dead', () => {
    const call = Rehearsal.answered().says('Sorry, wrong', 1_000, 2_000).at(2_100, 'caller_hung_up');
    expect(call.last('complete').outcome.transcript).toMatchObject([{ speaker: 'caller', text: 'Sorry, wrong' }]);
  });
});

describe('2.6 AgentAnswerDetection', () => {
  const greeting = (text: string) => (call: Rehearsal) => call.says(text, 100, 1_000).at(1_500, 'tone');
  const silence = (call: Rehearsal) => call;
  const music = (call: Rehearsal) => call.at(100, 'music_started');

  const instruction = (call: Rehearsal) => call.says('Please leave a message.', 100, 1_000);
  const german = (call: Rehearsal) => call.says('Bitte hinterlassen Sie eine Nachricht nach dem Ton.', 100, 1_000);

  it.each<[string, Partial<CallPlan>, (call: Rehearsal) => Rehearsal, string, (string | null)?]>([
    ['speech is a human', {}, (call) => call.says('Hello', 100, 500), 'human'],
    ['a beep after three words is a mailbox', {}, greeting('one moment please'), 'voicemail', 'beep'],
    ['the instruction of a mailbox is one, without a beep', {}, instruction, 'voicemail', 'mailbox_instruction'],
    ['it proves none in another language', { language: 'de' }, german, 'human'],
    ['it proves none on a call in another language', { language: 'de' }, instruction, 'human'],
    ['an instruction while its rule is off is no person', { voicemail: 'off' }, instruction, 'unknown'],
    ['a beep after two words proves none', {}, greeting('one moment'), 'human'],
    ['a beep without any word proves none', {}, (call) => call.at(100, 'tone'), 'unknown'],
    ['words after the beep do not count', {}, (call) => call.at(50, 'tone').says('leave a message', 100, 500), 'human'],
    ['music alone', {}, music, 'music'],
    ['music and then speech', {}, (call) => music(call).at(500, 'music_ended').says('Hello', 600, 900), 'human'],
    ['nothing', {}, silence, 'unknown'],
    ['music while its rule is off', { nonHumanAudio: 'off' }, music, 'unknown'],
    ['a mailbox while its rule is off is no person', { voicemail: 'off' }, greeting('one moment please'), 'unknown'],
    [
      'speech while the rule of mailboxes is off',
      { voicemail: 'off' },
      (call) => call.says('Hello', 100, 500),
      'human',
    ],
    ['anything while both are off', { nonHumanAudio: 'off', voicemail: 'off' }, greeting('leave a message'), ''],
  ])('%s', (_, change, act, expected, proof = null) => {
    const call = act(Rehearsal.answered(change)).at(19_000, 'caller_hung_up');
    const { classification, classificationDetail, mailboxProof } = call.last('complete').outcome;
    expect([classification, mailboxProof]).toEqual([expected, proof]);
    expect(classificationDetail === '').toBe(expected === '');
  });

  it.each<[string, CallPlan['nonHumanAudio'], number, string | undefined]>([
    ['end_call ends it', 'end_call', 8_100, 'no_human_after_answer'],
    ['end_call does not end it before', 'end_call', 8_099, undefined],
    ['shadow ends nothing', 'shadow', 8_100, undefined],
    ['off ends nothing', 'off', 8_100, undefined],
  ])('music: %s', (_, nonHumanAudio, now, reason) => {
    expect(music(Rehearsal.answered({ nonHumanAudio })).at(now, 'tick').ended).toBe(reason);
  });

  it('end_call spares a call on which a person was heard', () => {
    const call = Rehearsal.answered({ nonHumanAudio: 'end_call' }).says('Hold on', 100, 500).at(600, 'music_started');
    expect(call.at(60_000, 'tick').ended).toBeUndefined();
    const other = Rehearsal.answered({ nonHumanAudio: 'end_call' })
      .at(100, 'music_started')
      .says('Hello', 5_000, 5_500);
    expect(other.at(60_000, 'tick').ended).toBeUndefined();
  });
});

describe('the reducer', () => {
  it('meets every deadline at its own moment, however late the tick', () => {
    const { actions } = step(Rehearsal.answered().state, { type: 'tick' }, 500_000);
    expect(actions.map((action) => (action.type === 'report' ? action.event : action))).toMatchObject([
      { type: 'speak', turn: 1 },
      { type: 'hang_up' },
      { type: 'ended', ended_reason: 'agent_unresponsive', elapsed_ms: 12_000 },
      { type: 'complete', outcome: { transcript: [{ speaker: 'agent', started_ms: 2_000, ended_ms: 12_000 }] } },
    ]);
  });

  it('changes nothing that it is given', () => {
    const { state } = Rehearsal.answered();
    const frozen = structuredClone(state);
    step(state, { type: 'speech_started' }, 1_000);
    step(state, { type: 'tick' }, 1_000_000);
    expect(state).toEqual(frozen);
  });

  it('tells when it wants to be asked again', () => {
    expect(nextDeadline(new Rehearsal().state)).toBeUndefined();
    const call = Rehearsal.answered();
    expect(nextDeadline(call.state)).toBe(2_000);
    expect(nextDeadline(call.at(2_000, 'tick').state)).toBe(20_000);
    expect(nextDeadline(call.at(3_000, 'speech_started').state)).toBe(3_500);
  });

  it('ignores what does not fit the moment', () => {
    const call = new Rehearsal().at(0, 'answered', 'media_started', 'speech_started', { type: 'spoken', turn: 1 });
    expect(call.types()).toEqual(['dialing']);
    expect(call.at(1, 'permitted', 'media_started').types()).toEqual(['dialing', 'dial']);
  });
});
