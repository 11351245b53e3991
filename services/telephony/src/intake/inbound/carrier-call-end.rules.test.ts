import { callAs } from '../../../test/call-as';
import type { CallStatus } from '../../books/calls/call.rules';
import { movesOfCarrierEnd } from './carrier-call-end.rules';
import { advanceThrough, callTransitions } from '../../books/calls/call-transitions.rules';
import { callStatusOf } from '../../network/carriers/twilio/forms';
import type { CarrierCallEnd } from '../../network/carriers/carrier-reports.rules';

const at = new Date('2026-03-01T12:01:00.000Z');

function after(status: CallStatus, end: CarrierCallEnd, asked: boolean): [string, string | null, (string | null)[]] {
  const call = callAs({ status, direction: 'inbound', answeredAt: new Date('2026-03-01T12:00:00.000Z') });
  const steps = advanceThrough(call, movesOfCarrierEnd(call, end, asked, at));
  const last = steps.at(-1)?.call ?? call;
  return [last.status, last.endedReason, steps.map(({ event }) => event)];
}

describe('a call that the carrier reports as ended', () => {
  const ended = ['call.ended', 'call.completed'];

  it.each<[CallStatus, CarrierCallEnd, boolean, string, string | null, string[]]>([
    ['dialing', 'completed', false, 'failed', 'carrier_completed', ['call.failed']],
    ['dialing', 'failed', false, 'failed', 'carrier_failure', ['call.failed']],
    ['dialing', 'busy', false, 'failed', 'busy', ['call.failed']],
    ['dialing', 'no-answer', false, 'failed', 'no_answer', ['call.failed']],
    ['dialing', 'canceled', false, 'canceled', 'canceled', ['call.canceled']],
    ['dialing', 'completed', true, 'canceled', 'canceled', ['call.canceled']],
    ['dialing', 'failed', true, 'canceled', 'canceled', ['call.canceled']],
    ['answered', 'completed', false, 'completed', 'carrier_completed', ended],
    ['answered', 'failed', false, 'completed', 'carrier_failure', ended],
    ['answered', 'busy', false, 'completed', 'busy', ended],
    ['answered', 'no-answer', false, 'completed', 'no_answer', ended],
    ['answered', 'canceled', false, 'completed', 'canceled', ended],
    ['answered', 'completed', true, 'completed', 'canceled', ended],
    ['ended', 'completed', false, 'completed', null, ['call.completed']],
  ])(
    'status %s, carrier status %s, cancellation pending %p: becomes %s with ended_reason %s',
    (status, end, asked, final, reason, events) => {
      expect(after(status, end, asked)).toEqual([final, reason, events]);
    },
  );

  const over = ['completed', 'failed', 'canceled', 'policy_blocked'] as const;
  it.each(over)('is unchanged if its status is %s', (status) => {
    for (const end of ['completed', 'failed', 'busy', 'no-answer', 'canceled'] as const) {
      for (const asked of [false, true]) expect(after(status, end, asked)).toEqual([status, null, []]);
    }
    expect(callTransitions.some(({ from, on }) => from === status && (on === 'end' || on === 'complete'))).toBe(false);
  });

  it.each(['queued', 'initiated', 'ringing', 'in-progress', '', 'Completed', 'sunk'])(
    'carrier status %p is not an end',
    (CallStatus) => expect(callStatusOf({ CallSid: 'CA1', CallStatus }).end).toBeUndefined(),
  );

  it.each([
    [{}, 'CallSid'],
    [{ CallSid: '' }, 'CallSid'],
    [{ CallSid: 'C'.repeat(129) }, 'CallSid'],
    [{ CallSid: 'CA1', CallStatus: 'x'.repeat(65) }, 'CallStatus'],
  ])('the form %j is rejected with an error naming %s', (form, name) => {
    expect(() => callStatusOf(form)).toThrow(name);
  });

  it('a CallSid may have 128 characters', () => {
    expect(callStatusOf({ CallSid: 'C'.repeat(128), CallStatus: 'busy', SipResponseCode: '486' })).toEqual({
      gatewayCallId: 'C'.repeat(128),
      end: 'busy',
      answered: false,
      sipCode: '486',
    });
  });
});
