import type { KeyKind } from './clamp-scopes.rules';
import type { SharedLimit } from './shared-limits.rules';

/** Times are ISO 8601 with milliseconds; empty if the event has not happened. */
export interface KeyRecord {
  readonly keyId: string;
  /** Empty for a platform credential. */
  readonly organizationId: string;
  readonly name: string;
  readonly scopes: string[];
  /** The id of a session's parent key; empty for other keys. */
  readonly sessionOf: string;
  readonly lastFour: string;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly revokedAt: string;
  readonly lastUsedAt: string;
  /** Empty: any address. The same applies in LiveKey. */
  readonly allowedCidrs: string[];
  /** 0: no limit for this key. The same applies in LiveKey. */
  readonly requestsPerMinute: number;
  /** Empty if unknown. */
  readonly lastUsedAddress: string;
}

/** A key that is neither revoked nor expired. */
export interface LiveKey {
  readonly keyId: string;
  readonly organizationId: string;
  readonly kind: KeyKind;
  readonly scopes: string[];
  readonly allowedCidrs: string[];
  readonly requestsPerMinute: number;
  /** Limits of the keys that minted it which also count its requests, from the first of them to the nearest, each lower than the one before; at most 8. */
  readonly sharedLimits: SharedLimit[];
  /** The first of the keys of its organization that minted it, directly or through others; itself if none did, and of a session the root of its key. */
  readonly rootKeyId: string;
}
