import { AppError } from '@parley/errors';
import type { OutgoingContext } from '@parley/runtime';
import type { Call } from '../../books';
import {
  holderOfNumber,
  carrierOf,
  findSigners,
  type CarrierWebhook,
  bringsKeys,
  keysUrlOf,
  takesLines,
  transferOf,
  type Network,
} from '../../network';
import { carrierRouter } from './inbound-router.rules';
import { findFollowed, followLine, joinLeg, legOf } from '../../lines';
import { isDraftArmed } from './draft-by-pin';
import { routeInboundCall, type InboundInput } from './route-inbound-call';
import type { Telephony } from '../../telephony';

type Needs = Pick<
  Telephony,
  | 'db'
  | 'agents'
  | 'controls'
  | 'vault'
  | 'workers'
  | 'publications'
  | 'signals'
  | 'settings'
  | 'openOrganization'
  | 'onCommit'
> &
  Network;

/** Timeout between two digits of a caller. */
const keysSeconds = 3;
const pinDigits = 6;

/**
 * Processes a carrier's signed webhook about an incoming call and returns the carrier's instructions: connect the line to a worker or to the media gateway, or
 * reject it. For a known line it returns the next instructions. If the number's agent has a PIN armed for the draft of its workflow, the caller's digits are
 * collected first: with the PIN the draft conducts the call, otherwise the call is an ordinary one. Every call gets a record; a repeated carrier id gets the
 * same record, and the same instructions while the call lasts.
 * @throws UnauthorizedError for a signature that is not the account's; BadRequestError naming a field of the form
 */
export async function receiveCarrierCall(
  telephony: Needs,
  webhook: CarrierWebhook,
  context: OutgoingContext,
): Promise<string> {
  const signers = await findSigners(telephony, webhook);
  const { protocol } = carrierOf(telephony, webhook.provider);
  const leg = transferOf(webhook.url) === '' ? undefined : await findFollowed(telephony.db, webhook, protocol, signers);
  if (transferOf(webhook.url) !== '') {
    const followed = leg && legOf(webhook, leg);
    return followed === undefined ? protocol.endCall() : joinLeg(telephony, followed, protocol);
  }
  const incoming = protocol.callOf(webhook.form);
  const { mediaStreamUrl } = telephony.settings;
  const known = await findFollowed(telephony.db, webhook, protocol, signers);
  if (known !== undefined) return followLine(telephony, known, protocol, context);
  // If several organizations share the account, the one that owns the number is chosen; otherwise the first, whose record then shows the problem.
  const number = await holderOfNumber(telephony.db, incoming.to, signers);
  const ofWorkers = number?.provider === webhook.provider && mediaStreamUrl === undefined && takesLines(telephony);
  const carrierCallId = incoming.gatewayCallId;
  const input = {
    ...incoming,
    organizationId: number?.organizationId ?? signers[0] ?? '',
    holder: `carrier:${webhook.provider}`,
    router: carrierRouter(webhook.provider),
    // The line of a number with its own dialer is connected by the organization's gateway, never by the hosted one.
    unreachable: (mediaStreamUrl === undefined && !ofWorkers) || number?.dialer === 'own',
    ...(ofWorkers && {
      line: { provider: webhook.provider, accountSid: protocol.accountOf(webhook.form), carrierCallId },
    }),
  };
  const withKeys = bringsKeys(webhook.url);
  const agentId = number?.inboundAgentId ?? null;
  if (
    ofWorkers &&
    !withKeys &&
    agentId !== null &&
    (await isDraftArmed(telephony, input.organizationId, agentId, context))
  )
    return protocol.askKeys({ keys: pinDigits, seconds: keysSeconds, next: keysUrlOf(telephony, webhook.provider) });
  const keys = ofWorkers && withKeys ? protocol.keysOf(webhook.form) : '';
  const call = await routeWithKeys(telephony, input, keys, context);
  const rings = call.status === 'dialing' || call.status === 'answered';
  // To collect digits the line was answered, so it can no longer be rejected.
  if (!rings) return withKeys ? protocol.endCall() : protocol.rejectCall();
  if (mediaStreamUrl !== undefined) return protocol.connectCall(mediaStreamUrl, call.callId);
  const { organizationId, callId } = call;
  const line = { provider: webhook.provider, organizationId, callId, carrierCallId };
  return followLine(telephony, line, protocol, context);
}

/** Routes a call after the caller entered digits. With the PIN of the draft the draft conducts it; a wrong PIN is counted, and the call is an ordinary one. */
async function routeWithKeys(
  telephony: Needs,
  input: InboundInput,
  keys: string,
  context: OutgoingContext,
): Promise<Call> {
  if (keys.length !== pinDigits) return routeInboundCall(telephony, input, context);
  return routeInboundCall(telephony, { ...input, pin: keys }, context).catch((error: unknown) => {
    if (!(error instanceof AppError && ['BadRequestError', 'rate_limited'].includes(error.code))) throw error;
    return routeInboundCall(telephony, input, context);
  });
}
