import { Conversation, tool } from '../../test/conversation';
import { snapshotForm, snapshotOf } from './snapshot';
import { longestWaits } from './waits';

const transferring = (ms: number) => ({ type: 'control_transferring', ms }) as const;
const failed = { type: 'tool_ended', toolCallId: 'tool-1', outcome: 'failed', result: '{}' } as const;
const ended = 'no_caller_speech_after_answer';

/** A call whose caller is silent, and which would be ended at 20,000. */
const silent = () => Conversation.opened({ noCallerSpeechMs: 20_000, speculates: false });

/** The same call, which the agent transfers before the caller has said anything, as workflows do. */
const transferredAtOnce = () =>
  Conversation.answered({ noCallerSpeechMs: 20_000, greeting: '', firstSpeaker: 'agent' }).replies(
    5_000,
    '',
    tool('transfer_call'),
  );

describe('a call whose caller is silent while it is transferred', () => {
  it('by an operator: is not ended, and ends as transferred when the other party has answered', () => {
    const call = silent().at(5_000, transferring(90_000)).at(60_000);
    expect(call.ended).toBeUndefined();
    expect(call.at(60_000, { type: 'control_transferred' }).ended).toBe('transferred');
    expect(call.count('hang_up')).toBe(0);
  });

  it('by the agent: is not ended while the tool runs', () => {
    const call = transferredAtOnce().at(30_000);
    expect(call.ended).toBeUndefined();
    expect(call.at(30_000, { ...failed, outcome: 'transferred' }).ended).toBe('transferred');
  });

  it('waits again for the first speech of the caller after the transfer has failed', () => {
    const byOperator = silent().at(5_000, transferring(90_000)).at(30_000, transferring(0));
    const byAgent = transferredAtOnce().at(30_000, failed).replies(31_000, 'They do not answer.');
    for (const call of [byOperator, byAgent])
      expect([call.at(49_999).ended, call.at(50_000).ended]).toEqual([undefined, ended]);
  });

  it.each([
    [90_000, 90_000],
    [900_000, longestWaits.transfer],
  ])('regards a transfer of at most %d ms as failed after %d ms without a report', (ms, most) => {
    const call = silent().at(5_000, transferring(ms));
    const at = 5_000 + most + 20_000;
    expect([call.at(at - 1).ended, call.at(at).ended]).toEqual([undefined, ended]);
  });

  it('is not ended if the caller speaks meanwhile, however the transfer ends', () => {
    const call = silent().at(5_000, transferring(30_000)).says('Hello?', 10_000, 11_000);
    expect(call.at(11_000).state.deadlines.no_speech).toBeUndefined();
    expect(call.at(40_000, transferring(0)).state.deadlines.no_speech).toBeUndefined();
  });

  it('ends at its maximum duration', () => {
    const call = Conversation.opened({ noCallerSpeechMs: 20_000, maxCallMs: 60_000 });
    expect(call.at(5_000, transferring(90_000)).at(60_000).ended).toBe('max_call_duration_reached');
  });

  it('is not ended either if another process takes over meanwhile', () => {
    const continued = (before: Conversation) => {
      const snapshot = { ...snapshotOf(before.state), form: snapshotForm };
      const { transcript } = before.state;
      const resumed = { elapsedMs: 15_000, begunTools: [], attemptsFrom: 30_000, transcript, snapshot };
      return Conversation.answered({ noCallerSpeechMs: 20_000 }, { resumed });
    };
    const call = continued(silent().at(5_000, transferring(90_000)).at(10_000));
    expect([call.at(104_999).ended, call.at(105_000).ended]).toEqual([undefined, ended]);
    expect(continued(silent().at(10_000)).at(20_000).ended).toBe(ended);
  });
});

describe('an end of a transfer that is reported when none is in progress', () => {
  it('does not extend the wait for the first speech of the caller', () => {
    expect(silent().at(15_000, transferring(0)).at(20_000).ended).toBe(ended);
  });
});

describe('a call that the other party keeps on hold', () => {
  const held = (on: boolean) => ({ type: 'control_held', held: on }) as const;
  const answered = () => Conversation.answered({ noCallerSpeechMs: 20_000, maxCallMs: 60_000 }).at(5_000, held(true));

  it.each<[string, Conversation, string | undefined]>([
    ['is not ended while it is held', answered().at(59_999), undefined],
    ['ends after max_call_seconds', answered().at(60_000), 'max_call_duration_reached'],
    ['waits for the rest afterwards', answered().at(30_000, held(true)).at(40_000, held(false)).at(54_999), undefined],
    ['ends after the rest', answered().at(40_000, held(false)).at(55_000), 'no_caller_speech_after_answer'],
    ['waits no more after speech', answered().says('Hello', 6_000, 7_000).at(8_000, held(false)).at(59_999), undefined],
  ])('%s', (_, call, expected) => {
    expect(call.ended).toBe(expected);
  });
});
