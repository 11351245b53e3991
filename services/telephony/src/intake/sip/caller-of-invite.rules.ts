import { unescape } from 'node:querystring';
import { callerOf, type Caller, numberUnder } from '../../network/numbers/caller.rules';
import type { SipPeer } from './receiver.rules';

/** What an INVITE says about its caller. */
export interface InviteCaller {
  /** The user part of From. */
  readonly from: string;
  /** The headers P-Asserted-Identity and Privacy; empty for none. */
  readonly asserted: string;
  readonly privacy: string;
}

/** The user parts of the SIP and telephone addresses in a header; what is quoted is a name that the caller chose. */
const usersOf = (header: string): string[] =>
  [...header.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').matchAll(/\b(?:sips?|tel):([^@>,\s]*)/gi)].map(([, user = '']) =>
    unescape(user),
  );

/** Values of Privacy (RFC 3323, RFC 3325) with which a caller asks that the asserted identity is not shown. */
const hidden = /(?:^|[;,\s])(?:id|user|header)(?:$|[;,\s])/i;

/**
 * The caller of an INVITE. The identity that the network asserts counts only if the trunk is trusted, From has no number, and the caller did not ask to hide it.
 * Pure.
 */
export function callerOfInvite(
  { from, asserted, privacy }: InviteCaller,
  { country, trusted }: Pick<SipPeer, 'country' | 'trusted'>,
): Caller {
  const believed = trusted && !hidden.test(privacy) ? usersOf(asserted) : [];
  const numbers = [from, ...believed].map((user) => numberUnder(user, country));
  return callerOf(from, numbers.find((number) => number !== '') ?? '');
}

/** The dialed number as a trunk means it. Digits without a plus, as most peers send them, are only compared with the numbers of the trunk. Pure. */
export function dialedOn({ country }: Pick<SipPeer, 'country'>, to: string): string {
  return numberUnder(to, country) || numberUnder(`+${to}`, null);
}
