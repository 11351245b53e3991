import { CarrierCallForm, validate } from '@parley/contract';
import type { OutgoingContext } from '@parley/runtime';
import { holderOfNumber } from '../db/owners';
import { connectCall, rejectCall } from '../domain/twiml';
import { signersOf, type CarrierWebhook } from './carrier-webhook';
import { routeInboundCall } from './route-inbound-call';
import type { Telephony } from './telephony';

/**
 * Takes an incoming call that a carrier tells of by its signed webhook, and answers with TwiML: connect the line to the media
 * gateway, or reject it. A record in any case; the same CallSid again is the same record, and the same answer while the call lasts.
 * @throws UnauthorizedError for a signature that is not the account's; BadRequestError for a form without To, From or CallSid
 */
export async function receiveCarrierCall(
  telephony: Telephony,
  webhook: CarrierWebhook,
  context: OutgoingContext,
): Promise<string> {
  const signers = await signersOf(telephony, webhook);
  const { value } = validate(CarrierCallForm, webhook.form, { unknown: 'ignore' });
  const { mediaStreamUrl } = telephony.settings;
  const input = {
    organizationId: await receiverOf(telephony, signers, value.To),
    to: value.To,
    from: value.From,
    gatewayCallId: value.CallSid,
    holder: `carrier:${webhook.provider}`,
    unreachable: mediaStreamUrl === undefined,
  };
  const call = await routeInboundCall(telephony, input, context);
  const rings = call.status === 'dialing' || call.status === 'answered';
  return rings && mediaStreamUrl !== undefined ? connectCall(mediaStreamUrl, call.callId) : rejectCall();
}

/** Of several organizations that share the account the one that holds the number; else the first, whose record says so. */
async function receiverOf({ db }: Telephony, signers: readonly string[], to: string): Promise<string> {
  const holder = signers.length > 1 ? (await holderOfNumber(db, to))?.organizationId : undefined;
  return signers.find((organizationId) => organizationId === holder) ?? signers[0] ?? '';
}
