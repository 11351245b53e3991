import { notFound } from '@parley/errors';
import type { OutgoingContext, Queryable } from '@parley/runtime';
import { lockCall, advanceThrough, recordSteps } from '../calls';
import { findCallOfCarrier } from './inbound-calls.sql';
import { finishJob, lockJobOfCall } from '../queue';
import { movesOfCarrierEnd } from './carrier-call-end.rules';
import type { CarrierCallEnd } from '../carriers';
import { carrierRouter } from './inbound-router.rules';
import { carrierOf, findSigners, type CarrierWebhook } from '../numbers';
import { findFollowed, legOf, reportLeg, reportLine } from '../lines';
import { keepReportedTurns } from '../worker-jobs';
import type { Telephony } from '../telephony';

/**
 * Takes a carrier's word of a line. That a media gateway's line is closed ends its call: its call is over at once, also when the media gateway that had it died
 * and its lease runs on. Reported again, late, or while the line is open, it changes nothing; the gateway's own end, when it came first,
 * stands. What the gateway still has of the call (transcript, recording) it may hand in afterwards.
 * @throws UnauthorizedError for a signature that is not the account's; NotFoundError for a call of no one whom the account speaks for;
 * BadRequestError naming the field
 */
export async function receiveCarrierCallStatus(
  telephony: Telephony,
  webhook: CarrierWebhook,
  context: OutgoingContext,
): Promise<void> {
  const signers = await findSigners(telephony, webhook);
  const { protocol } = carrierOf(telephony, webhook.provider);
  const report = protocol.callStatusOf(webhook.form);
  const line = await findFollowed(telephony.db, webhook, protocol, signers);
  const leg = line && legOf(webhook, line);
  if (leg !== undefined) return reportLeg(telephony, leg, report);
  if (line !== undefined) return reportLine(telephony, line, report, context);
  const { gatewayCallId, end } = report;
  for (const organizationId of signers) {
    const callId = await findCallOfCarrier(
      telephony.db,
      organizationId,
      carrierRouter(webhook.provider),
      gatewayCallId,
    );
    if (callId === undefined) continue;
    if (end === undefined) return;
    await telephony.db.transaction((tx) => close(tx, { organizationId, callId, end }, context.traceparent));
    telephony.onCommit(false);
    return;
  }
  throw notFound('call');
}

interface ClosedLine {
  readonly organizationId: string;
  readonly callId: string;
  readonly end: CarrierCallEnd;
}

async function close(
  tx: Queryable,
  { organizationId, callId, end }: ClosedLine,
  traceparent: string | undefined,
): Promise<void> {
  const job = await lockJobOfCall(tx, organizationId, callId);
  // Refused on arrival, or over: there is nothing to close.
  if (job === undefined || job.state === 'done') return;
  const locked = await lockCall(tx, organizationId, callId);
  if (locked === undefined) throw new Error(`incoming call ${callId} is gone`);
  const { call, now } = locked;
  const steps = advanceThrough(call, movesOfCarrierEnd(call, end, job.cancelRequested, now));
  const after = await recordSteps(tx, call, steps, now, traceparent);
  await keepReportedTurns(tx, after, now);
  await finishJob(tx, job.jobId, true);
}
