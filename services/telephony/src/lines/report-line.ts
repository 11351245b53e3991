import type { CallStatusReport } from '../carriers';
import { endOfLine } from './line-end.rules';
import type { Telephony } from '../telephony';
import { adoptionCheckSeconds } from './follow-line';
import { noteGone } from './refer';
import { changeLine, failLine, lockHeldLine } from './held-line';

/** When a carrier is queried about a ringing line, and about one that a worker has. */
const ringingSeconds = 60;
const adoptedSeconds = 300;

export interface LineReporting {
  readonly traceparent?: string | undefined;
  /** When an open line is handled whose call is over. */
  readonly overSeconds?: number;
}

/**
 * Takes what a carrier reports of a line, in whatever order and however often. A call that no worker has adopted is over when its line is closed; of an adopted one
 * the worker knows more, and reports it.
 */
export async function reportLine(
  telephony: Telephony,
  { organizationId, callId }: { readonly organizationId: string; readonly callId: string },
  report: CallStatusReport,
  { traceparent, overSeconds = 0 }: LineReporting = {},
): Promise<void> {
  const { end, answered, gatewayCallId: carrierCallId } = report;
  await telephony.db.transaction(async (tx) => {
    const held = await lockHeldLine(tx, organizationId, callId);
    if (held === undefined) return;
    const { line, job, call } = held;
    // A line that was given up before the carrier returned its id may still ring.
    if (line.state === 'closed' && line.carrierCallId !== null) return;
    // A second call with the same reference is not ours.
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
}
