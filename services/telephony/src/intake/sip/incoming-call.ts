import { createHash } from 'node:crypto';
import { AppError } from '@parley/errors';
import type { OutgoingContext } from '@parley/runtime';
import type { LineVerbs, Network } from '../../network';
import { routeInboundCall } from '../inbound/route-inbound-call';
import { followLine, followRefer, joinLeg } from '../../lines';
import type { Telephony } from '../../telephony';
import { callOfChannel, numbersOnTrunks, transferOfChannel } from './sip-peers.cross-tenant.sql';
import { callerOfInvite, dialedOn, type InviteCaller } from './caller-of-invite.rules';
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
  | { readonly do: 'decline'; readonly cause: number }
  /** Rejects a copy of a request with 482. */
  | { readonly do: 'merge' };

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

export interface IncomingChannel extends InviteCaller {
  readonly channel: string;
  /** Address and port from which the request was sent. */
  readonly peer: string;
  /** The user part of the request's address. */
  readonly to: string;
  /** Call-ID, tag of From and CSeq, which copies of one request share; empty: unknown. */
  readonly request: string;
}

const provider = 'sip_trunk';

/**
 * The instruction for a new incoming channel. A repeated request returns the same call. A copy of an INVITE that arrived by another path (RFC 3261, 8.2.2.2) is
 * rejected, and leaves the call of the first one alone.
 */
export async function takeIncoming(
  telephony: Needs,
  peersAt: PeersAt,
  { channel, peer, to: dialed, request, ...said }: IncomingChannel,
  context: OutgoingContext,
): Promise<SipVerb> {
  const known = await callOfChannel(telephony.db, channel);
  if (known !== undefined) return followLine(telephony, { provider, ...known, carrierCallId: channel }, verbs, context);
  const peers = peersAt(peer.slice(0, peer.lastIndexOf(':')));
  const meant = peers.map((trunk) => ({ sipTrunkId: trunk.sipTrunkId, phoneNumber: dialedOn(trunk, dialed) }));
  const receiver = receiverOf(await numbersOnTrunks(telephony.db, meant), peers);
  const trunk = peers.find(({ sipTrunkId }) => sipTrunkId === receiver?.sipTrunkId);
  if (receiver === undefined || trunk === undefined) return { do: 'decline', cause: noSuchNumber };
  const { organizationId, sipTrunkId, phoneNumber: to } = receiver;
  const call = await routeInboundCall(
    telephony,
    {
      organizationId,
      to,
      ...callerOfInvite(said, trunk),
      gatewayCallId: request === '' ? channel : createHash('sha256').update(`${to} ${request}`).digest('base64url'),
      holder: `carrier:${provider}`,
      router: `carrier:${provider}`,
      line: { provider, accountSid: sipTrunkId, carrierCallId: channel },
    },
    context,
  ).catch((error: unknown) => {
    // A copy with another asserted identity.
    if (error instanceof AppError && error.code === 'ConflictError') return undefined;
    throw error;
  });
  if (call === undefined) return { do: 'merge' };
  if (call.status !== 'dialing' && call.status !== 'answered') return { do: 'decline', cause: notNow };
  if ((await callOfChannel(telephony.db, channel)) === undefined) return { do: 'merge' };
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
