import type { EndedReason } from '@parley/contract';
import type { Call } from '../calls/call.rules';
import type { CallTrigger, TriggerFacts } from '../calls/call-transitions.rules';
import type { CarrierCallEnd } from '../carriers/carrier-reports.rules';

/**
 * Who hung up is known to the media gateway alone, which did not say: the line is closed, nothing more. A caller who gave up before
 * anybody answered is the carrier's `canceled`.
 */
const reasons: Readonly<Record<CarrierCallEnd, EndedReason>> = {
  completed: 'carrier_completed',
  failed: 'carrier_failure',
  busy: 'busy',
  'no-answer': 'no_answer',
  canceled: 'canceled',
};

/**
 * What it means for an incoming call that its carrier closed the line: one that was answered ends and completes, one that rings
 * has failed, or is canceled when the caller gave up or somebody asked for its end. Of a call that is over nothing of it stands in
 * the transition table. Pure.
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
