import { forbidden } from '@parley/errors';

/** A limit of a key that also counts the requests of the keys that it minted, directly or through other keys. */
export interface SharedLimit {
  /** Of a key that is no session: sessions count as their parent key. */
  readonly keyId: string;
  /** At least 1. */
  readonly requestsPerMinute: number;
}

/** A shared limit as its row contains it. */
export interface StoredSharedLimit {
  readonly key_id: string;
  readonly requests_per_minute: number;
}

export const storedSharedLimits = (limits: readonly SharedLimit[]): StoredSharedLimit[] =>
  limits.map(({ keyId, requestsPerMinute }) => ({ key_id: keyId, requests_per_minute: requestsPerMinute }));

export const sharedLimitsOf = (stored: readonly StoredSharedLimit[]): SharedLimit[] =>
  stored.map(({ key_id: keyId, requests_per_minute: requestsPerMinute }) => ({ keyId, requestsPerMinute }));

/** The root of a key that is minted (see LiveKey). An operator's key is not the root of the organizations' keys, which share nothing. */
export const rootUnder = (
  issuer: { readonly organizationId: string; readonly rootKeyId: string },
  organizationId: string,
): string | undefined => (issuer.organizationId === organizationId ? issuer.rootKeyId : undefined);

/** Every request of a key is counted once for each of these. */
const most = 8;

/**
 * Returns the limits that a key shares with its issuer: those that the issuer itself shares, and its own one. Without this, a key with a limit could multiply
 * it by minting keys. A limit that is not lower than one before it is left out, because what it counts is part of what that one counts: so each is lower than
 * the one before.
 * @throws ForbiddenError if there are more than 8
 */
export function limitsSharedBy(issuer: {
  readonly keyId: string;
  /** The id of a session's parent key; empty for other keys. */
  readonly sessionOf: string;
  /** 0: no limit. */
  readonly requestsPerMinute: number;
  readonly sharedLimits: readonly SharedLimit[];
}): readonly SharedLimit[] {
  const { keyId, sessionOf, requestsPerMinute, sharedLimits } = issuer;
  const nearest = sharedLimits.at(-1)?.requestsPerMinute ?? Infinity;
  if (requestsPerMinute === 0 || requestsPerMinute >= nearest) return sharedLimits;
  if (sharedLimits.length === most)
    throw forbidden(`requests_per_minute: the key is subject to the limits of ${most} others and cannot create keys`);
  return [...sharedLimits, { keyId: sessionOf || keyId, requestsPerMinute }];
}
