import type { KeyKind } from './clamp-scopes.rules';

/** Times are ISO 8601 with milliseconds, empty if the event has not happened. */
export interface KeyRecord {
  readonly keyId: string;
  /** Empty for a platform credential. */
  readonly organizationId: string;
  readonly name: string;
  readonly scopes: string[];
  /** The subject of a session; empty for keys. */
  readonly sessionOf: string;
  readonly lastFour: string;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly revokedAt: string;
  readonly lastUsedAt: string;
  /** Empty: any address; for a live key as well. */
  readonly allowedCidrs: string[];
  /** 0: no limit of its own; of a live key as well. */
  readonly requestsPerMinute: number;
  /** Empty where it is not known. */
  readonly lastUsedAddress: string;
}

/** A key that is live: neither revoked nor expired. */
export interface LiveKey {
  readonly keyId: string;
  readonly organizationId: string;
  readonly kind: KeyKind;
  readonly scopes: string[];
  readonly allowedCidrs: string[];
  readonly requestsPerMinute: number;
}
