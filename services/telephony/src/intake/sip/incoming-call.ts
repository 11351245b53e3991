import type { OutgoingContext } from '@parley/runtime';
import type { LineVerbs, Network } from '../../network';
import { routeInboundCall } from '../inbound/route-inbound-call';
import { followLine, followRefer, joinLeg } from '../../lines';
import type { Telephony } from '../../telephony';
import { callOfChannel, numbersOnTrunks, transferOfChannel } from './sip-peers.cross-tenant.sql';
import { receiverOf } from './receiver.rules';
import type { PeersAt } from './sip-peers';

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

/** The next instruction for a channel of Asterisk. */
export type SipVerb =
  | { readonly do: 'stream'; readonly token: string }
  | { readonly do: 'hold'; readonly seconds: number }
  | { readonly do: 'end' }
  /** Bridges the channel with the leg of this transfer, which is waiting for it. */
  | { readonly do: 'join'; readonly leg: string }
  /** Requests that the peer calls this address instead (SIP REFER). */
  | { readonly do: 'refer'; readonly to: string }
  /** Rejects the call unanswered, so that it is not billed. */
  | { readonly do: 'decline'; readonly cause: number };

const verbs: LineVerbs<SipVerb> = {
  streamCall: ({ token }) => ({ do: 'stream', token }),
  holdCall: (seconds) => ({ do: 'hold', seconds }),
  endCall: () => ({ do: 'end' }),
  joinRoom: (leg) => ({ do: 'join', leg }),
  refer: (to) => ({ do: 'refer', to }),
};

/** Unallocated number (404). The response is the same for an unknown number and for one of another trunk. */
const noSuchNumber = 1;
/** Temporary failure (503); the call's record contains the reason. */
export const notNow = 41;

export interface IncomingChannel {
  readonly channel: string;
  /** Address and port from which the request was sent. */
  readonly peer: string;
  readonly to: string;
  readonly from: string;
}

const provider = 'sip_trunk';

/**
 * Normalizes a telephone number with or without a plus; empty for any other text. Parameters of the user part (;npdi, ;phone-context) and visual separators
 * (RFC 3966) are not part of the number.
 */
export function numberOf(text: string): string {
  const [user = ''] = text.split(';');
  const [, digits = ''] = /^\+?([1-9]\d{1,14})$/.exec(user.replace(/[-.()]/g, '')) ?? [];
  return digits === '' ? '' : `+${digits}`;
}

/** The instruction for a new incoming channel. A repeated request returns the same call. */
export async function takeIncoming(
  telephony: Needs,
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

/** The instruction for the answered leg of a transfer. */
export async function followLeg(telephony: Needs, channel: string): Promise<SipVerb> {
  const leg = await transferOfChannel(telephony.db, channel);
  if (leg === undefined) return { do: 'end' };
  return joinLeg(telephony, { provider, ...leg, transferId: channel, carrierCallId: channel }, verbs);
}

/** The instruction for a channel whose stream has ended, or that waits for a stream. */
export async function followChannel(telephony: Needs, channel: string, context: OutgoingContext): Promise<SipVerb> {
  const known = await callOfChannel(telephony.db, channel);
  if (known === undefined) return { do: 'end' };
  return followLine(telephony, { provider, ...known, carrierCallId: channel }, verbs, context);
}

/** The instruction for a channel after its peer was requested to call another party. @param status of Asterisk's Transfer @param code of the peer */
export async function followReferred(
  telephony: Needs,
  channel: string,
  answer: { readonly status: string; readonly code: string },
): Promise<SipVerb> {
  const known = await callOfChannel(telephony.db, channel);
  if (known === undefined) return { do: 'end' };
  return followRefer(telephony, { provider, ...known, carrierCallId: channel }, answer, verbs);
}
