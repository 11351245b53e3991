import type { TransferOutcome } from '@parley/contract';
import type { CallStatusReport } from '../../network/carriers/carrier-reports.rules';

const isE164 = (address: string): boolean => address.startsWith('+');

/** Addresses allowed in a Refer-To. Parameters and headers are not allowed, because they would affect the peer's own call. */
const plainSipAddress = /^sip:[\w+.~-]{1,64}@[\w.-]{1,128}(?::\d{1,5})?$/;

/** The SIP address that the peer of a trunk is requested to call; undefined for an address that is not allowed. Pure. */
export function refersTo(to: string, { host, port }: { readonly host: string; readonly port: number }) {
  const address = isE164(to) ? `sip:${to}@${host}:${port}` : to;
  return plainSipAddress.test(address) ? address : undefined;
}

/** SIP response codes that mean that the other party cannot be reached, so that it is not called again with a leg. */
const unreached: Readonly<Record<string, TransferOutcome>> = {
  '408': 'no_answer',
  '480': 'no_answer',
  '487': 'no_answer',
  '486': 'busy',
  '600': 'busy',
};

/** The outcome of a REFER, from the peer's response or its NOTIFY. `refused`: the peer does not support REFER. Pure. */
export const outcomeOfRefer = (status: string, code: string): TransferOutcome | 'refused' =>
  status === 'SUCCESS' ? 'connected' : (unreached[code] ?? 'refused');

/** SIP response codes with which a callee declines: 603 and 607. */
const declined = new Set(['603', '607']);

/** The outcome of a leg that never joined the call, from its carrier's status. Pure. */
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
      // The other party answered and hung up during the announcement.
      return 'declined';
    case 'failed':
    case undefined:
      return 'failed';
  }
}
