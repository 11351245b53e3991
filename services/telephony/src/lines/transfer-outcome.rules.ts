import type { TransferOutcome } from '@parley/contract';
import type { CallStatusReport } from '../carriers/carrier-reports.rules';

export const isE164 = (address: string): boolean => address.startsWith('+');

/** What may stand in a Refer-To: no parameters and no headers, which would act on the peer's own call. */
const plainSipAddress = /^sip:[\w+.~-]{1,64}@[\w.-]{1,128}(?::\d{1,5})?$/;

/** What the peer of a trunk is asked to call; undefined for an address that is not passed on. Pure. */
export function refersTo(to: string, { host, port }: { readonly host: string; readonly port: number }) {
  const address = isE164(to) ? `sip:${to}@${host}:${port}` : to;
  return plainSipAddress.test(address) ? address : undefined;
}

/** Response codes that say of the other party itself that it cannot be reached: it is not rung again. */
const unreached: Readonly<Record<string, TransferOutcome>> = {
  '408': 'no_answer',
  '480': 'no_answer',
  '487': 'no_answer',
  '486': 'busy',
  '600': 'busy',
};

/** What became of a REFER, by what the peer answered or reported; `refused`: it does not connect calls this way. Pure. */
export const outcomeOfRefer = (status: string, code: string): TransferOutcome | 'refused' =>
  status === 'SUCCESS' ? 'connected' : (unreached[code] ?? 'refused');

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
