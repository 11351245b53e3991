import type { EndedReason } from '@parley/contract';
import type { Call } from '../../books/calls/call.rules';
import type { CallTrigger, TriggerFacts } from '../../books/calls/call-transitions.rules';
import type { CarrierCallEnd } from '../../network/carriers/carrier-reports.rules';

/**
 * A carrier's `completed` does not contain who hung up: only the media gateway knows that, and it did not report it. A caller who gave up before the call was
 * answered is reported as `canceled`.
 */
const reasons: Readonly<Record<CarrierCallEnd, EndedReason>> = {
  completed: 'carrier_completed',
  failed: 'carrier_failure',
  busy: 'busy',
  'no-answer': 'no_answer',
  canceled: 'canceled',
};

/**
 * The transitions of an incoming call when its carrier reports that the line is closed. An answered call ends and completes. A ringing one fails, or is
 * canceled if the caller gave up or a cancellation was requested. For a call that is over, the transition table has no such transitions, so nothing changes.
 * Pure.
 */
export function movesOfCarrierEnd(
  { status }: Pick<Call, 'status'>,
  end: CarrierCallEnd,
  cancelRequested: boolean,
  at: Date,
): [CallTrigger, TriggerFacts][] {
  const canceled = cancelRequested || end === 'canceled';
  const facts = { at, endedReason: canceled ? 'canceled' : reasons[end] };
  if (status === 'dialing') return [[canceled ? 'cancel' : 'fail', facts]];
  return [
    ['end', facts],
    ['complete', { at }],
  ];
}
