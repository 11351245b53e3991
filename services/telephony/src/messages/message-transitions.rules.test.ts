import { eventTypes, messageStatuses } from '@parley/contract';
import { blankMessage, type Message } from './message.rules';
import {
  advanceMessage,
  advanceMessageThrough,
  messageTransitions,
  type MessageTrigger,
} from './message-transitions.rules';

const at = new Date('2026-03-01T12:00:00.000Z');

const message: Message = {
  ...blankMessage('org_1', at),
  messageId: 'msg_1',
  projectId: 'prj_1',
  agentId: 'agt_1',
  from: '+14155550100',
  to: '+14155550101',
  body: 'See you',
  segmentCount: 1,
  provider: 'simulator',
};

const triggers: readonly MessageTrigger[] = ['accept', 'deliver', 'undeliver', 'fail', 'translate', 'fail_translation'];

/** Every combination of status and trigger that changes a message, with the resulting status; all others change nothing. */
const moves: Readonly<Record<string, string>> = {
  'queued accept': 'sent',
  'queued fail': 'failed',
  'sent deliver': 'delivered',
  'sent undeliver': 'undelivered',
  'sent fail': 'failed',
};

describe('the transition table of messages', () => {
  it('lists each pair of status and trigger once, with public event types only', () => {
    expect(new Set(messageTransitions.map(({ from, on }) => `${from} ${on}`)).size).toBe(messageTransitions.length);
    for (const { event } of messageTransitions) expect(eventTypes).toContain(event);
  });

  it.each(messageStatuses.flatMap((status) => triggers.slice(0, 4).map((trigger) => [status, trigger] as const)))(
    'status %s, trigger %s: changes the status as listed, or nothing',
    (status, trigger) => {
      const step = advanceMessage({ ...message, status, resourceSeq: 3 }, trigger, { at });
      expect(step?.message.status).toBe(moves[`${status} ${trigger}`]);
      if (step !== undefined) expect(step.message.resourceSeq).toBe(4);
    },
  );

  it.each(messageStatuses)('status %s: a pending translation is set once and does not change the status', (status) => {
    const translation = { status: 'pending', targetLanguage: 'de', body: null, provider: null, reason: null } as const;
    const translated = { body: 'Bis dann', provider: 'simulator' };
    const steps = advanceMessageThrough({ ...message, status, translation }, [
      ['translate', { at, translated }],
      ['translate', { at, translated: { ...translated, body: 'again' } }],
      ['fail_translation', { at, errorDetail: 'late' }],
    ]);
    expect(steps.map(({ event, message: after }) => [event, after.status, after.translation?.body])).toEqual([
      ['sms.translation.ready', status, 'Bis dann'],
    ]);
    expect(advanceMessage({ ...message, status }, 'translate', { at, translated })).toBeUndefined();
  });

  it('a delivery status for a queued message publishes both sms.sent and sms.delivery_updated', () => {
    const steps = advanceMessageThrough({ ...message, holdMicros: 7_900 }, [
      ['accept', { at, carrierMessageId: 'SM1' }],
      ['deliver', { at }],
    ]);
    expect(steps.map(({ event }) => event)).toEqual(['sms.sent', 'sms.delivery_updated']);
    expect(steps.at(-1)?.message).toMatchObject({ status: 'delivered', carrierMessageId: 'SM1', costMicros: 7_900 });
  });
});
