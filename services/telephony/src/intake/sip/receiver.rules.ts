/** A peer of a trunk, from which incoming calls may arrive. */
export interface SipPeer {
  readonly organizationId: string;
  readonly sipTrunkId: string;
  readonly host: string;
  /** In which its numbers are dialed; null: they are as sent. */
  readonly country: string | null;
  /** It may assert who calls. */
  readonly trusted: boolean;
}

/** A number on one of these trunks. */
export interface NumberOnTrunk {
  readonly organizationId: string;
  readonly sipTrunkId: string;
  readonly phoneNumber: string;
  readonly verified: boolean;
  readonly ownDialer: boolean;
}

/**
 * Determines which organization gets an incoming call: one that has the number on a trunk whose peer sent the call. Several organizations may use the same
 * peer, for example a carrier. In that case only a verified claim counts; otherwise the first organization to claim a number would get its calls. Pure.
 * @param claims the claims on the number with trunks of these peers; at most one of them is verified
 */
export function receiverOf(
  claims: readonly NumberOnTrunk[],
  peers: readonly Pick<SipPeer, 'organizationId'>[],
): NumberOnTrunk | undefined {
  const organizations = new Set(peers.map(({ organizationId }) => organizationId));
  const claim = claims.find(({ verified }) => verified) ?? (organizations.size === 1 ? claims[0] : undefined);
  // A number with its own dialer is never answered here.
  return claim?.ownDialer === true ? undefined : claim;
}
