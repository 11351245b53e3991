/** A source of incoming calls of trunks. */
export interface SipPeer {
  readonly organizationId: string;
  readonly sipTrunkId: string;
  readonly host: string;
}

/** A number on one of these trunks. */
export interface NumberOnTrunk {
  readonly organizationId: string;
  readonly sipTrunkId: string;
  readonly verified: boolean;
  readonly ownDialer: boolean;
}

/**
 * Whose an incoming call is, of those that have its number on a trunk whose peer sent it. Organizations may share a peer, a carrier of both; there the number has to be proved, or
 * the first to claim a number got its calls. Pure.
 * @param claims of the number, by trunks of these peers; at most one of them is verified
 */
export function receiverOf(
  claims: readonly NumberOnTrunk[],
  peers: readonly Pick<SipPeer, 'organizationId'>[],
): NumberOnTrunk | undefined {
  const organizations = new Set(peers.map(({ organizationId }) => organizationId));
  const claim = claims.find(({ verified }) => verified) ?? (organizations.size === 1 ? claims[0] : undefined);
  // The line of a number with its own dialler is never answered here.
  return claim?.ownDialer === true ? undefined : claim;
}
