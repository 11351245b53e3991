/**
 * Why a request to a provider failed. `canceled` is never a failure of the provider, because the caller's own signal ended the request.
 *
 * - `unauthorized`: the credential was refused (401, 403)
 * - `rate_limited`: too many requests (429); `retryAfterMs` is set if the provider sent a delay
 * - `invalid_request`: the provider refused the request (other 4xx)
 * - `unavailable`: no connection, or a 5xx
 * - `disconnected`: the connection closed before the response was complete
 * - `stalled`: nothing arrived within the adapter's timeout
 * - `invalid_answer`: the response does not conform to the provider's documented protocol
 * - `empty_answer`: a complete answer of a model without text and without tool calls
 * - `content_filtered`: the provider's content filter refused the conversation or the answer
 */
export type ProviderErrorCode =
  | 'unauthorized'
  | 'rate_limited'
  | 'invalid_request'
  | 'unavailable'
  | 'disconnected'
  | 'stalled'
  | 'invalid_answer'
  | 'empty_answer'
  | 'content_filtered'
  | 'canceled';

/** A failed request to a provider. The message contains the provider and the reason, but never a key, a prompt or spoken text. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';

  constructor(
    readonly provider: string,
    readonly code: ProviderErrorCode,
    detail: string,
    readonly retryAfterMs?: number,
  ) {
    super(`${provider}: ${detail}`);
  }

  /** Whether another credential or provider may succeed. */
  get mayFallBack(): boolean {
    return this.code !== 'canceled';
  }
}
