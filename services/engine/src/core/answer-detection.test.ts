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

describe('AgentAnswerDetection', () => {
  const instruction = says('Please leave a message.');
  const german = says('Bitte hinterlassen Sie eine Nachricht nach dem Ton.');
  const off = { voicemail: 'off' } as const;

  it.each<[string, Partial<CallPlan>, Act, string, (string | null)?]>([
    ['speech is a human', {}, says('Hello'), 'human'],
    ['a beep after three words is a mailbox', {}, greeting('one moment please'), 'voicemail', 'beep'],
    ['a beep after two words proves none', {}, greeting('one moment'), 'human'],
    [
      'words that are not final yet count at the beep',
      {},
      (call) =>
        call.at(100, { type: 'speech_started', since: 100 }).at(900, call.partial('one moment please')).at(1_000, beep),
      'voicemail',
      'beep',
    ],
    ['the instruction of a mailbox is one, without a beep', {}, instruction, 'voicemail', 'mailbox_instruction'],
    ['it proves none in another language', { language: 'de' }, german, 'human'],
    ['it proves none on a call in another language', { language: 'de' }, instruction, 'human'],
    ['an instruction while its rule is off is no person', off, instruction, 'unknown'],
    ['a beep without any word proves none', {}, (call) => call.at(100, beep), 'unknown'],
    ['words after the beep do not count', {}, (call) => says('leave a message')(call.at(50, beep)), 'human'],
    ['music alone', {}, (call) => call.at(100, music), 'music'],
    ['a voice in music is music', {}, (call) => says('')(call.at(50, music)), 'music'],
    ['words in music are a human', {}, (call) => says('Hello')(call.at(50, music)), 'human'],
    ['nothing', {}, (call) => call, 'unknown'],
    ['music while its rule is off', { nonHumanAudio: 'off' }, (call) => call.at(100, music), 'unknown'],
    ['a mailbox while its rule is off is no person', off, greeting('one moment please'), 'unknown'],
    ['speech while the rule of mailboxes is off', off, says('Hello'), 'human'],
    ['anything while both are off', { nonHumanAudio: 'off', ...off }, greeting('leave a message'), ''],
  ])('%s', (_, change, act, expected, proof = null) => {
    const call = act(Conversation.answered({ silenceWaitMs: 5_000, ...change })).at(3_000, 'hung_up');
    const { classification, classificationDetail, mailboxProof } = call.last('complete').outcome;
    expect([classification, mailboxProof]).toEqual([expected, proof]);
    expect(classificationDetail === '').toBe(expected === '');
  });

  it('hang_up and leave_message run as shadow: a proven mailbox ends nothing', () => {
    const call = greeting('one moment please')(Conversation.answered());
    expect(call.at(19_000).ended).toBeUndefined();
  });

  it.each<[CallPlan['nonHumanAudio'], number, string | undefined]>([
    ['end_call', 8_100, 'no_human_after_answer'],
    ['end_call', 8_099, undefined],
    ['shadow', 19_000, undefined],
    ['off', 19_000, undefined],
  ])('non_human_audio %s: music from 100 on, at %d ms the call ended with %s', (nonHumanAudio, now, reason) => {
    const call = Conversation.answered({ nonHumanAudio }).at(100, music);
    expect(call.at(now).ended).toBe(reason);
  });

  it('end_call stops the agent, and spares a call on which a person was heard', () => {
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
