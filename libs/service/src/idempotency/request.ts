/** Identifies a create request whose response is stored (docs/reference/requests.md). */
export interface CreatingRequest {
  readonly organizationId: string;
  /** The route's operation id, such as `create-call`; different routes may use the same key. */
  readonly route: string;
  /** The Idempotency-Key header; empty if absent, in which case nothing is stored. */
  readonly key: string;
  /** SHA-256 of the canonical JSON of the body. */
  readonly fingerprint: Buffer;
}

/** A response that was returned. `body` is JSON without secrets, because these are returned only once. */
export interface StoredResponse {
  /** 200 to 299, because only successes are stored. */
  readonly status: number;
  readonly body: string;
  /** The id of the created record; the response is stored as long as the record exists. Absent: without limit. */
  readonly recordId?: string;
}

/** The request described by the `idempotency` field of a gRPC message; without that field, it is a request without a key. */
export function idempotencyKeyFrom(
  organizationId: string,
  idempotency: { readonly key: string; readonly route: string; readonly fingerprint: Uint8Array } | undefined,
): CreatingRequest {
  return {
    organizationId,
    route: idempotency?.route ?? '',
    key: idempotency?.key ?? '',
    fingerprint: Buffer.from(idempotency?.fingerprint ?? []),
  };
}
