import type { TransferOutcome } from '@parley/contract';
import type { CallStatusReport } from '../carriers/carrier-reports.rules';

export const isE164 = (address: string): boolean => address.startsWith('+');

/** Response codes by which a callee declines: 603 and 607. */
const declined = new Set(['603', '607']);

/** What became of a leg that never came to the call, by what its carrier says. Pure. */
export function outcomeOfLeg({ end, sipCode }: CallStatusReport): TransferOutcome {
  if (declined.has(sipCode)) return 'declined';
  switch (end) {
    case 'busy':
      return 'busy';
    case 'no-answer':
      return 'no_answer';
    case 'canceled':
      return 'canceled';
    case 'completed':
      // It was answered, and hung up during the announcement.
      return 'declined';
    case 'failed':
    case undefined:
      return 'failed';
  }
}
