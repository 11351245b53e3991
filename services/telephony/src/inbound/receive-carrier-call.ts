import type { OutgoingContext } from '@parley/runtime';
import { holderOfNumber, carrierOf, signersOf, type CarrierWebhook } from '../numbers';
import { carrierRouter } from './inbound-router.rules';
import { findFollowed, followLine, joinLeg, legOf } from '../lines';
import { takesLines, transferOf } from '../carriers';
import { routeInboundCall } from './route-inbound-call';
import type { Telephony } from '../telephony';

/**
 * Takes an incoming call that a carrier tells of by its signed webhook, and returns what it is to do: connect the line to a worker or to the media
 * gateway, or reject it. A line that is known asks what follows. A record in any case; the same carrier's id again is the same record, and the same answer while the call lasts.
 * @throws UnauthorizedError for a signature that is not the account's; BadRequestError naming a field of the form
 */
export async function receiveCarrierCall(
  telephony: Telephony,
  webhook: CarrierWebhook,
  context: OutgoingContext,
): Promise<string> {
  const signers = await signersOf(telephony, webhook);
  const { protocol } = carrierOf(telephony, webhook.provider);
  const leg = transferOf(webhook.url) === '' ? undefined : await findFollowed(telephony.db, webhook, protocol, signers);
  if (transferOf(webhook.url) !== '') {
    const followed = leg && legOf(webhook, leg);
    return followed === undefined ? protocol.endCall() : joinLeg(telephony, followed);
  }
  const incoming = protocol.callOf(webhook.form);
  const { mediaStreamUrl } = telephony.settings;
  const known = await findFollowed(telephony.db, webhook, protocol, signers);
  if (known !== undefined) return followLine(telephony, known, protocol, context);
  // Of several organizations that share the account the one that holds the number; else the first, whose record says so.
  const number = await holderOfNumber(telephony.db, incoming.to, signers);
  const ofWorkers = number?.provider === webhook.provider && mediaStreamUrl === undefined && takesLines(telephony);
  const input = {
    ...incoming,
    organizationId: number?.organizationId ?? signers[0] ?? '',
    holder: `carrier:${webhook.provider}`,
    router: carrierRouter(webhook.provider),
    // The line of an own dialler is connected by its own gateway, never by the hosted one.
    unreachable: (mediaStreamUrl === undefined && !ofWorkers) || number?.dialer === 'own',
    ...(ofWorkers && { line: { provider: webhook.provider, accountSid: protocol.accountOf(webhook.form) } }),
  };
  const call = await routeInboundCall(telephony, input, context);
  const rings = call.status === 'dialing' || call.status === 'answered';
  if (!rings) return protocol.rejectCall();
  if (mediaStreamUrl !== undefined) return protocol.connectCall(mediaStreamUrl, call.callId);
  const { organizationId, callId } = call;
  const line = { provider: webhook.provider, organizationId, callId, carrierCallId: incoming.gatewayCallId };
  return followLine(telephony, line, protocol, context);
}
