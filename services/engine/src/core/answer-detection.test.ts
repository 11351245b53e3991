import { Conversation } from '../../test/conversation';
import type { CallPlan } from './plan';

type Act = (call: Conversation) => Conversation;
const says =
  (text: string): Act =>
  (call) =>
    call.says(text, 100, 1_000);
const beep = { type: 'beep' } as const;
const music = { type: 'music_started' } as const;
const greeting =
  (text: string): Act =>
  (call) =>
    says(text)(call).at(1_500, beep);

describe('answer detection', () => {
  const instruction = says('Please leave a message.');
  const german = says('Bitte hinterlassen Sie eine Nachricht nach dem Ton.');
  const off = { voicemail: 'off' } as const;

  it.each<[string, Partial<CallPlan>, Act, string, (string | null)?]>([
    ['speech is classified as human', {}, says('Hello'), 'human'],
    ['a beep after three words proves a mailbox', {}, greeting('one moment please'), 'voicemail', 'beep'],
    ['a beep after two words proves no mailbox', {}, greeting('one moment'), 'human'],
    [
      'partial transcripts count as words before the beep',
      {},
      (call) =>
        call.at(100, { type: 'speech_started', since: 100 }).at(900, call.partial('one moment please')).at(1_000, beep),
      'voicemail',
      'beep',
    ],
    [
      'the spoken instruction of a mailbox proves one without a beep',
      {},
      instruction,
      'voicemail',
      'mailbox_instruction',
    ],
    ['an instruction in German proves no mailbox', { language: 'de' }, german, 'human'],
    [
      'an English instruction in a call in another language proves no mailbox',
      { language: 'de' },
      instruction,
      'human',
    ],
    ['with voicemail detection off, an instruction is classified as unknown', off, instruction, 'unknown'],
    ['a beep without words proves no mailbox', {}, (call) => call.at(100, beep), 'unknown'],
    ['words only after the beep prove no mailbox', {}, (call) => says('leave a message')(call.at(50, beep)), 'human'],
    ['music without speech is classified as music', {}, (call) => call.at(100, music), 'music'],
    ['a voice without words in music is classified as music', {}, (call) => says('')(call.at(50, music)), 'music'],
    ['words in music are classified as human', {}, (call) => says('Hello')(call.at(50, music)), 'human'],
    ['silence is classified as unknown', {}, (call) => call, 'unknown'],
    [
      'with music detection off, music is classified as unknown',
      { nonHumanAudio: 'off' },
      (call) => call.at(100, music),
      'unknown',
    ],
    ['with voicemail detection off, a mailbox is classified as unknown', off, greeting('one moment please'), 'unknown'],
    ['with voicemail detection off, speech is classified as human', off, says('Hello'), 'human'],
    [
      'with both detections off, nothing is classified',
      { nonHumanAudio: 'off', ...off },
      greeting('leave a message'),
      '',
    ],
  ])('%s', (_, change, act, expected, proof = null) => {
    const call = act(Conversation.answered({ silenceWaitMs: 5_000, ...change })).at(3_000, 'hung_up');
    const { classification, classificationDetail, mailboxProof } = call.last('complete').outcome;
    expect([classification, mailboxProof]).toEqual([expected, proof]);
    expect(classificationDetail === '').toBe(expected === '');
  });

  const tone = (kind: 'call_progress' | 'not_in_service' | 'fax') => ({ type: 'tone', tone: kind }) as const;
  const person = 'Hello, who is this please?';
  /** The other party speaks, the agent answers from 2,000 to 4,000. */
  const answered = (text: string, change: Partial<CallPlan> = {}) =>
    Conversation.answered({ silenceWaitMs: 1_000, speculates: false, ...change })
      .says(text, 100, 1_000)
      .at(3_000)
      .spoken(4_000);
  const outcome = (call: Conversation) => {
    const { classification, mailboxProof, proofWithdrawnBy } = call.at(60_000, 'hung_up').last('complete').outcome;
    return [classification, mailboxProof, proofWithdrawnBy !== null];
  };

  it.each<[string, Conversation, readonly [string, string | null, boolean]]>([
    ['a beep in a dialogue', answered(person).says('It is me.', 5_000, 6_000).at(6_500, beep), ['human', null, false]],
    ['a beep after the agent has spoken', answered(person).at(4_500, beep), ['voicemail', 'beep', false]],
    ['a beep long after the greeting', answered(person).at(9_001, beep), ['human', null, false]],
    ['call waiting', answered(person).at(4_500, tone('call_progress')), ['human', null, false]],
    [
      'a consent beep, which comes again',
      answered(person).at(4_500, beep).at(20_000, tone('call_progress')),
      ['human', null, false],
    ],
    [
      'a person who answers after the beep',
      answered(person).at(4_500, beep).says('It is me.', 9_000, 10_000).at(11_000),
      ['human', 'beep', true],
    ],
    [
      'a person who speaks at once after the beep',
      answered(person).at(4_500, beep).says('It is me.', 7_400, 8_400).at(9_500),
      ['human', 'beep', true],
    ],
    [
      'a mailbox that announces a menu after the beep',
      answered(person).at(4_500, beep).says('To send your message, press one.', 5_000, 7_000).at(8_000),
      ['voicemail', 'beep', false],
    ],
    [
      'a person who picks up after an instruction',
      answered('Please leave a message.').says('Sorry, here I am.', 5_000, 6_000).at(7_000),
      ['human', 'mailbox_instruction', true],
    ],
    [
      'the beep after an instruction',
      answered('Please leave a message.').at(4_500, beep),
      ['voicemail', 'beep', false],
    ],
    [
      'announcement tones before the greeting of a mailbox and its beep',
      Conversation.answered({ silenceWaitMs: 9_000 })
        .at(50, tone('not_in_service'))
        .says(person, 100, 1_000)
        .at(1_500, beep),
      ['voicemail', 'beep', false],
    ],
    [
      'screening, its beep, and a person',
      answered('This call is being screened. Please record your name at the beep.')
        .at(4_500, beep)
        .says('Hello, who is it?', 9_000, 10_000)
        .at(11_000),
      ['human', null, false],
    ],
    [
      'screening and its beep',
      answered('This call is being screened. Please record your name at the beep.').at(4_500, beep),
      ['call_screening', null, false],
    ],
    [
      'screening, and then a mailbox',
      answered('This call is being screened. Please record your name at the beep.')
        .says('Please leave a message.', 9_000, 10_000)
        .at(12_000),
      ['voicemail', 'mailbox_instruction', false],
    ],
    [
      'a fax tone, and then a mailbox',
      Conversation.answered({ silenceWaitMs: 9_000 })
        .at(50, tone('fax'))
        .says('Please leave a message.', 100, 1_000)
        .at(3_000),
      ['voicemail', 'mailbox_instruction', false],
    ],
    [
      'an announcement of the network',
      answered('The number you have dialed is not in service.'),
      ['not_in_service', null, false],
    ],
    [
      'announcement tones alone',
      Conversation.answered().at(500, tone('not_in_service')),
      ['not_in_service', null, false],
    ],
    ['a fax', Conversation.answered().at(500, tone('fax')), ['fax', null, false]],
    [
      'a fax tone in a dialogue',
      answered(person).says('Yes.', 5_000, 6_000).at(7_000, tone('fax')),
      ['human', null, false],
    ],
  ])('%s is classified by evidence and counter-evidence', (_, call, expected) => {
    expect(outcome(call)).toEqual(expected);
  });

  it('words that are recognized only after the beep count if they were said before it', () => {
    const call = Conversation.answered({ silenceWaitMs: 9_000 })
      .at(100, { type: 'speech_started', since: 100 })
      .at(1_000, { type: 'speech_ended', lastVoice: 1_000 })
      .at(1_500, beep);
    call.at(2_000, call.final('You have reached Sam'));
    expect(outcome(call)).toEqual(['voicemail', 'beep', false]);
  });

  it('a withdrawn proof names the turn, and leave_voicemail is refused from then on', () => {
    const call = answered('Please leave a message.', { voicemailMessage: 'Call us.' });
    call
      .says('Sorry, here I am.', 5_000, 6_000)
      .at(7_000)
      .replies(7_100, '', { id: 'x', name: 'leave_voicemail', arguments: '{}' });
    expect(call.said).not.toContain('Call us.');
    const turn = call.state.transcript.findLast(({ speaker }) => speaker === 'caller');
    expect(call.state.evidence.withdrawnBy).toBe(turn?.turn_id);
  });

  it('a proven mailbox does not end the call', () => {
    const call = greeting('one moment please')(Conversation.answered());
    expect(call.at(19_000).ended).toBeUndefined();
  });

  it.each<[CallPlan['nonHumanAudio'], number, string | undefined]>([
    ['end_call', 8_100, 'no_human_after_answer'],
    ['end_call', 8_099, undefined],
    ['shadow', 19_000, undefined],
    ['off', 19_000, undefined],
  ])('non_human_audio %s: with music from 100 ms on, at %d ms the end reason is %s', (nonHumanAudio, now, reason) => {
    const call = Conversation.answered({ nonHumanAudio }).at(100, music);
    expect(call.at(now).ended).toBe(reason);
  });

  it('non_human_audio end_call stops the agent, but does not end calls with speech or after the music has ended', () => {
    const call = Conversation.answered({ nonHumanAudio: 'end_call' }).at(100, music).at(8_100);
    expect(call.types()).toContain('stop_utterance');
    const heard = Conversation.answered({ nonHumanAudio: 'end_call' }).says('Hold on', 100, 500).at(600, music);
    expect(heard.at(15_000).ended).toBeUndefined();
    const ended = Conversation.answered({ nonHumanAudio: 'end_call' })
      .at(100, music)
      .at(8_000, { type: 'music_ended' });
    expect(ended.at(15_000).ended).toBeUndefined();
  });
});
