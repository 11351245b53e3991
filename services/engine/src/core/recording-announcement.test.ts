import { Conversation } from '../../test/conversation';
import type { CallPlan } from './plan';
import { snapshotOf } from './snapshot';

const announced: Partial<CallPlan> = {
  firstSpeaker: 'agent',
  greeting: 'Good morning.',
  recordingAnnouncement: 'This call is recorded.',
  speculates: false,
};
const recordingOf = (call: Conversation) =>
  call.effects.flatMap((effect) =>
    (effect.type === 'pause_recording' || effect.type === 'resume_recording') && effect.reason === 'announcement'
      ? [effect.type]
      : [],
  );
const started = (since: number) => ({ type: 'speech_started', since }) as const;

describe('recording announcement', () => {
  it('is said before the greeting, and the recording starts when it was played completely', () => {
    const call = Conversation.answered(announced);
    expect([call.said, recordingOf(call)]).toEqual([['This call is recorded.'], ['pause_recording']]);
    call.spoken(2_000);
    expect([call.said, recordingOf(call)]).toEqual([
      ['This call is recorded.', 'Good morning.'],
      ['pause_recording', 'resume_recording'],
    ]);
  });

  it('is not said if it is not set, and the recording starts with the call', () => {
    const call = Conversation.answered({ ...announced, recordingAnnouncement: '' });
    expect([call.said, recordingOf(call)]).toEqual([['Good morning.'], []]);
  });

  it('is said before the first words of the agent, if the callee speaks first', () => {
    const call = Conversation.answered({ ...announced, firstSpeaker: 'callee' });
    expect(recordingOf(call)).toEqual(['pause_recording']);
    call.says('Hello?', 500, 1_000).at(10_000);
    expect(call.said).toEqual(['This call is recorded.']);
  });

  it.each<[string, (call: Conversation) => unknown]>([
    ['speaks', (call) => call.at(500, started(500)).at(1_500, call.final('Wait, who is this?'))],
    ['presses keys', (call) => call.at(500, { type: 'pressed', digits: '1#' })],
    ['types', (call) => call.at(500, { type: 'typed', text: 'Who is this?' })],
  ])('is said completely even if the caller %s', (_, interrupts) => {
    const call = Conversation.answered(announced);
    interrupts(call);
    expect([call.count('stop_utterance'), recordingOf(call)[1]]).toEqual([0, undefined]);
    call.spoken(2_000);
    expect([call.said.slice(0, 2), recordingOf(call)[1]]).toEqual([
      ['This call is recorded.', 'Good morning.'],
      'resume_recording',
    ]);
  });

  it('is not completed if the call ends before, and the call is not recorded', () => {
    const call = Conversation.answered(announced).at(1_000, 'hung_up');
    expect(recordingOf(call)).toEqual(['pause_recording']);
  });

  it('is repeated after another process took the call over, unless it was played completely before', () => {
    const resumed = (call: Conversation): Conversation => {
      const { transcript } = call.state;
      const before = {
        elapsedMs: 5_000,
        transcript,
        snapshot: snapshotOf(call.state),
        begunTools: [],
        attemptsFrom: 9,
      };
      return Conversation.answered(announced, { resumed: before });
    };
    const again = resumed(Conversation.answered(announced).played(500, 4));
    expect([again.said, recordingOf(again)]).toEqual([['This call is recorded.'], ['pause_recording']]);
    const after = resumed(Conversation.answered(announced).spoken(2_000).spoken(3_000));
    expect([after.said, recordingOf(after)]).toEqual([[], ['pause_recording', 'resume_recording']]);
  });
});
