/** A request that creates, as its response is stored (docs/reference/requests.md). */
export interface CreatingRequest {
  readonly organizationId: string;
  /** The route's operation id, such as `create-call`: one key may serve several routes. */
  readonly route: string;
  /** The Idempotency-Key header; empty when there was none, and nothing is stored. */
  readonly key: string;
  /** SHA-256 over the canonical JSON of the body. */
  readonly fingerprint: Buffer;
}

/** An answer that was given. `body` is JSON without the secrets that are returned once. */
export interface StoredResponse {
  /** 200 to 299: only successes are stored. */
  readonly status: number;
  readonly body: string;
  /** The record that was created; the answer is kept as long as it is. Absent: for good. */
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
