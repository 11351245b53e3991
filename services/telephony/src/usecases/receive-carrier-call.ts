import type { OutgoingContext } from '@parley/runtime';
import { holderOfNumber } from '../db/owners';
import { carrierRouter } from '../domain/inbound-router';
import { carrierOf, signersOf, type CarrierWebhook } from './carrier-webhook';
import { routeInboundCall } from './route-inbound-call';
import type { Telephony } from './telephony';

/**
 * Takes an incoming call that a carrier tells of by its signed webhook, and returns what it is to do: connect the line to the media
 * gateway, or reject it. A record in any case; the same carrier's id again is the same record, and the same answer while the call lasts.
 * @throws UnauthorizedError for a signature that is not the account's; BadRequestError naming a field of the form
 */
export async function receiveCarrierCall(
  telephony: Telephony,
  webhook: CarrierWebhook,
  context: OutgoingContext,
): Promise<string> {
  const signers = await signersOf(telephony, webhook);
  const { protocol } = carrierOf(telephony, webhook.provider);
  const incoming = protocol.callOf(webhook.form);
  const { mediaStreamUrl } = telephony.settings;
  // Of several organizations that share the account the one that holds the number; else the first, whose record says so.
  const number = await holderOfNumber(telephony.db, incoming.to, signers);
  const input = {
    ...incoming,
    organizationId: number?.organizationId ?? signers[0] ?? '',
    holder: `carrier:${webhook.provider}`,
    router: carrierRouter(webhook.provider),
    // The line of an own dialler is connected by its own gateway, never by the hosted one.
    unreachable: mediaStreamUrl === undefined || number?.dialer === 'own',
  };
  const call = await routeInboundCall(telephony, input, context);
  const rings = call.status === 'dialing' || call.status === 'answered';
  return rings && mediaStreamUrl !== undefined
    ? protocol.connectCall(mediaStreamUrl, call.callId)
    : protocol.rejectCall();
}
