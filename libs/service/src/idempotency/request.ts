/** A request that creates, as its response is stored (docs/reference/requests.md). */
export interface CreatingRequest {
  readonly organizationId: string;
  /** The route's operation id, such as `create-call`: several routes may use the same key. */
  readonly route: string;
  /** The Idempotency-Key header; empty if there was none, in which case nothing is stored. */
  readonly key: string;
  /** SHA-256 over the canonical JSON of the body. */
  readonly fingerprint: Buffer;
}

/** A response that was returned. `body` is JSON without secrets, which are returned only once. */
export interface StoredResponse {
  /** 200 to 299: only successes are stored. */
  readonly status: number;
  readonly body: string;
  /** The created record; the response is stored as long as it exists. Absent: indefinitely. */
  readonly recordId?: string;
}

/** The request of a gRPC message's `idempotency` field; an absent one is a request without a key. */
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
