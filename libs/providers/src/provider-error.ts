/**
 * Why a request to a provider failed. `canceled` is never a failure of the provider: the caller's own signal ended the request.
 *
 * - `unauthorized`: the credential was refused (401, 403)
 * - `rate_limited`: too many requests (429); `retryAfterMs` where the provider said how long to wait
 * - `invalid_request`: the provider refuses what was asked for (other 4xx)
 * - `unavailable`: no connection, or a 5xx
 * - `disconnected`: the connection closed before the answer was complete
 * - `stalled`: nothing arrived within the adapter's own limit
 * - `invalid_answer`: the answer does not follow the provider's documented protocol
 */
export type ProviderErrorCode =
  | 'unauthorized'
  | 'rate_limited'
  | 'invalid_request'
  | 'unavailable'
  | 'disconnected'
  | 'stalled'
  | 'invalid_answer'
  | 'canceled';

/** A failed request to a provider. The message names provider and reason, and never holds a key, a prompt or what was said. */
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

  /** Another credential or provider may succeed where this one failed. */
  get mayFallBack(): boolean {
    return this.code !== 'canceled';
  }
}
