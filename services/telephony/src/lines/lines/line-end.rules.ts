import type { EndedReason, ReasonDetail } from '@parley/contract';
import type { CallStatusReport } from '../../network/carriers/carrier-reports.rules';

interface LineEnd {
  readonly endedReason: EndedReason;
  readonly reasonDetail?: ReasonDetail;
}

/** SIP response codes with which a callee declines: 603 and 607. */
const declined = new Set(['603', '607']);

const detailOf = (sipCode: string): Pick<LineEnd, 'reasonDetail'> =>
  /^[1-6]\d\d$/.test(sipCode) ? { reasonDetail: `sip_${sipCode}` } : {};

/** The outcome of a call that no worker adopted, from its carrier's report that the line closed. Pure. */
export function endOfLine({ end, sipCode }: CallStatusReport, direction: string): LineEnd {
  if (declined.has(sipCode)) return { endedReason: 'declined', ...detailOf(sipCode) };
  switch (end) {
    case 'busy':
      return { endedReason: 'busy', ...detailOf(sipCode) };
    case 'no-answer':
      return { endedReason: 'no_answer', ...detailOf(sipCode) };
    case 'canceled':
      // When the platform ends a line, the carrier reports `completed`. `canceled` therefore means that the caller gave up, or that the account's owner ended
      // the call.
      return direction === 'inbound'
        ? { endedReason: 'canceled' }
        : { endedReason: 'carrier_failure', reasonDetail: 'canceled_at_carrier' };
    case 'completed':
      return { endedReason: 'carrier_completed', reasonDetail: 'not_connected' };
    case 'failed':
    case undefined:
      return { endedReason: 'carrier_failure', ...detailOf(sipCode) };
  }
}
