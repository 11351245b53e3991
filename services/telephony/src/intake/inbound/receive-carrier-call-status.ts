import { notFound } from '@parley/errors';
import type { OutgoingContext, Queryable } from '@parley/runtime';
import { endCall, lockCallAndJob } from '../../books';
import { findCallOfCarrier } from './inbound-calls.sql';
import { movesOfCarrierEnd } from './carrier-call-end.rules';
import { type CarrierCallEnd, carrierOf, findSigners, type CarrierWebhook, type Network } from '../../network';
import { carrierRouter } from './inbound-router.rules';
import { findFollowed, legOf, reportLeg, reportLine } from '../../lines';
import type { Telephony } from '../../telephony';

/**
 * Processes a carrier's status report about a line. If it reports that the line of a media gateway's call is closed, the call ends at once, even if its media
 * gateway died and the lease has not expired. Repeated and late reports and those about an open line change nothing; an end that the gateway reported first
 * remains. The gateway may still upload the transcript and recording afterwards.
 * @throws UnauthorizedError for a signature that is not the account's; NotFoundError if no organization with this account has the call; BadRequestError naming
 * the field
 */
export async function receiveCarrierCallStatus(
  telephony: Pick<Telephony, 'db' | 'vault' | 'signals' | 'onCommit' | 'linesDue'> & Network,
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
  const held = await lockCallAndJob(tx, organizationId, callId);
  // The call was refused on arrival, or it is over: there is no line to close.
  if (held?.job === undefined || held.job.state === 'done') return;
  const { job, call, now } = held;
  await endCall(tx, held, movesOfCarrierEnd(call, end, job.cancelRequested, now), traceparent);
}
