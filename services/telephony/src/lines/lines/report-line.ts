import type { CallStatusReport, Network } from '../../network';
import { dropLegs } from './drop-legs';
import { endOfLine } from './line-end.rules';
import type { Telephony } from '../../telephony';
import { adoptionCheckSeconds } from './follow-line';
import { noteGone } from './refer';
import { changeLine, failLine, lockHeldLine } from './held-line';

/** When the carrier is queried about a ringing line, and about one that a worker adopted. */
const ringingSeconds = 60;
const adoptedSeconds = 300;

export interface LineReporting {
  readonly traceparent?: string | undefined;
  /** When an open line is handled after its call is over. */
  readonly overSeconds?: number;
}

/**
 * Processes a carrier's status report about a line; reports may arrive in any order and repeatedly. If the line closes before a worker adopted the call, the
 * call is over. For an adopted call the worker reports the end, because it knows more.
 */
export async function reportLine(
  telephony: Pick<Telephony, 'db' | 'vault' | 'signals' | 'onCommit' | 'linesDue'> & Network,
  { organizationId, callId }: { readonly organizationId: string; readonly callId: string },
  report: CallStatusReport,
  { traceparent, overSeconds = 0 }: LineReporting = {},
): Promise<void> {
  const { end, answered, gatewayCallId: carrierCallId } = report;
  await telephony.db.transaction(async (tx) => {
    const held = await lockHeldLine(tx, organizationId, callId);
    if (held === undefined) return;
    const { line, job, call } = held;
    // A line that was given up before the carrier returned its id may still be ringing.
    if (line.state === 'closed' && line.carrierCallId !== null) return;
    // Another call with the same reference, which the platform did not place.
    if (line.carrierCallId !== null && line.carrierCallId !== carrierCallId) return;
    if (end !== undefined) {
      await failLine(tx, held, endOfLine(report, call.direction), traceparent);
      await noteGone(tx, held);
      return changeLine(tx, held, { state: 'closed', carrierCallId, reserved: false });
    }
    const state = answered || line.state === 'answered' ? 'answered' : 'ringing';
    const adoptable = state === 'answered' ? adoptionCheckSeconds : ringingSeconds;
    const checkSeconds = { done: overSeconds, leased: adoptedSeconds, queued: adoptable, adoptable }[job.state];
    return changeLine(tx, held, { state, carrierCallId, checkSeconds });
  });
  telephony.onCommit(false);
  telephony.linesDue();
  if (end !== undefined) await dropLegs(telephony, organizationId, callId);
}
