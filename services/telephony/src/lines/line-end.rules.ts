import type { EndedReason } from '@parley/contract';
import type { CallStatusReport } from '../carriers/carrier-reports.rules';

interface LineEnd {
  readonly endedReason: EndedReason;
  readonly reasonDetail?: string;
}

/** Response codes by which a callee declines: 603 and 607. */
const declined = new Set(['603', '607']);

const detailOf = (sipCode: string): Pick<LineEnd, 'reasonDetail'> =>
  /^[1-6]\d\d$/.test(sipCode) ? { reasonDetail: `sip_${sipCode}` } : {};

/** The outcome of a call that no worker adopted, by its carrier's report on the closed line. Pure. */
export function endOfLine({ end, sipCode }: CallStatusReport, direction: string): LineEnd {
  if (declined.has(sipCode)) return { endedReason: 'declined', ...detailOf(sipCode) };
  switch (end) {
    case 'busy':
      return { endedReason: 'busy', ...detailOf(sipCode) };
    case 'no-answer':
      return { endedReason: 'no_answer', ...detailOf(sipCode) };
    case 'canceled':
      // The platform ends its own lines as `completed`; any other end means that the caller gave up, or the account's owner ended the call.
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
