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
