import type { OutgoingContext } from '@parley/runtime';
import type { LineVerbs } from '../carriers';
import { routeInboundCall } from '../inbound';
import { followLine, followRefer, joinLeg } from '../lines';
import type { Telephony } from '../telephony';
import { callOfChannel, numbersOnTrunks, transferOfChannel } from './sip-peers.cross-tenant.sql';
import { receiverOf } from './receiver.rules';
import type { PeersAt } from './sip-peers';

/** What a channel of Asterisk has to do next. */
export type SipVerb =
  | { readonly do: 'stream'; readonly token: string }
  | { readonly do: 'hold'; readonly seconds: number }
  | { readonly do: 'end' }
  /** Bridges the channel with the leg of this transfer, which waits for it. */
  | { readonly do: 'join'; readonly leg: string }
  /** Asks the peer to call this address instead (SIP REFER). */
  | { readonly do: 'refer'; readonly to: string }
  /** Rejected unanswered, so that it is not billed. */
  | { readonly do: 'decline'; readonly cause: number };

const verbs: LineVerbs<SipVerb> = {
  streamCall: ({ token }) => ({ do: 'stream', token }),
  holdCall: (seconds) => ({ do: 'hold', seconds }),
  endCall: () => ({ do: 'end' }),
  joinRoom: (leg) => ({ do: 'join', leg }),
  refer: (to) => ({ do: 'refer', to }),
};

/** Unallocated number (404): the same for a number of no organization and for one of another trunk. */
const noSuchNumber = 1;
/** Temporary failure (503): the call record has the reason. */
export const notNow = 41;

export interface IncomingChannel {
  readonly channel: string;
  /** Address and port of the sender of the request. */
  readonly peer: string;
  readonly to: string;
  readonly from: string;
}

const provider = 'sip_trunk';

/** Normalizes a telephone number with or without its plus; empty if it is none. */
function numberOf(text: string): string {
  const [, digits = ''] = /^\+?([1-9]\d{1,14})$/.exec(text) ?? [];
  return digits === '' ? '' : `+${digits}`;
}

/** What a new incoming channel has to do. A repeated request returns the same call. */
export async function takeIncoming(
  telephony: Telephony,
  peersAt: PeersAt,
  { channel, peer, ...numbers }: IncomingChannel,
  context: OutgoingContext,
): Promise<SipVerb> {
  const known = await callOfChannel(telephony.db, channel);
  if (known !== undefined) return followLine(telephony, { provider, ...known, carrierCallId: channel }, verbs, context);
  const [to, from] = [numberOf(numbers.to), numberOf(numbers.from)];
  const peers = peersAt(peer.slice(0, peer.lastIndexOf(':')));
  const claims = await numbersOnTrunks(
    telephony.db,
    to,
    peers.map(({ sipTrunkId }) => sipTrunkId),
  );
  const receiver = receiverOf(claims, peers);
  if (receiver === undefined) return { do: 'decline', cause: noSuchNumber };
  const { organizationId, sipTrunkId } = receiver;
  const call = await routeInboundCall(
    telephony,
    {
      organizationId,
      to,
      from,
      gatewayCallId: channel,
      holder: `carrier:${provider}`,
      router: `carrier:${provider}`,
      line: { provider, accountSid: sipTrunkId },
    },
    context,
  );
  if (call.status !== 'dialing' && call.status !== 'answered') return { do: 'decline', cause: notNow };
  return followLine(
    telephony,
    { provider, organizationId, callId: call.callId, carrierCallId: channel },
    verbs,
    context,
  );
}

/** What the answered leg of a transfer has to do. */
export async function followLeg(telephony: Telephony, channel: string): Promise<SipVerb> {
  const leg = await transferOfChannel(telephony.db, channel);
  if (leg === undefined) return { do: 'end' };
  return joinLeg(telephony, { provider, ...leg, transferId: channel, carrierCallId: channel }, verbs);
}

/** What a channel has to do after its stream ended, or while it waits for one. */
export async function followChannel(telephony: Telephony, channel: string, context: OutgoingContext): Promise<SipVerb> {
  const known = await callOfChannel(telephony.db, channel);
  if (known === undefined) return { do: 'end' };
  return followLine(telephony, { provider, ...known, carrierCallId: channel }, verbs, context);
}

/** What a channel has to do after its peer was asked to call another party. @param status of Asterisk's Transfer @param code of the peer */
export async function followReferred(
  telephony: Telephony,
  channel: string,
  answer: { readonly status: string; readonly code: string },
): Promise<SipVerb> {
  const known = await callOfChannel(telephony.db, channel);
  if (known === undefined) return { do: 'end' };
  return followRefer(telephony, { provider, ...known, carrierCallId: channel }, answer, verbs);
}
