import { canceled, disconnected, errorOfStatus, invalidAnswer, retryAfterMs, stalled } from './failures';
import { ProviderError } from './provider-error';
import type { Watch } from './watch';

interface ErrorOfSdk extends Error {
  readonly status?: number;
  readonly headers?: Headers;
}

/**
 * Why an HTTP request failed, derived from what a client or `fetch` threw.
 * @param answered whether the provider had begun to respond
 * @param reported converts an error event within a stream, for providers that send those
 */
export function errorOfRequest(
  { provider, watch, answered }: { readonly provider: string; readonly watch: Watch; readonly answered: boolean },
  thrown: unknown,
  reported: (thrown: Error) => ProviderError | undefined = () => undefined,
): ProviderError {
  if (watch.canceled) return canceled(provider);
  if (watch.expired) return stalled(provider);
  if (thrown instanceof ProviderError) return thrown;
  if (thrown instanceof SyntaxError) return invalidAnswer(provider, 'sent data that is not JSON');
  if (!(thrown instanceof Error)) return new ProviderError(provider, 'unavailable', 'failed');
  const { status, headers } = thrown as ErrorOfSdk;
  if (status === 400 && isFiltered(thrown))
    return new ProviderError(provider, 'content_filtered', 'refused the content of the request');
  if (typeof status === 'number')
    return errorOfStatus(provider, status, retryAfterMs(headers?.get('retry-after'), Date.now()));
  return (
    reported(thrown) ??
    (answered ? disconnected(provider) : new ProviderError(provider, 'unavailable', 'cannot be reached'))
  );
}

const filters = /content_?(?:filter|policy)|responsible_?ai|safety|moderation/i;

/** Whether an error body says that a content filter refused the request: its codes are at different depths. */
function isFiltered(body: unknown, depth = 0): boolean {
  if (typeof body !== 'object' || body === null || depth > 3) return false;
  const { code, type, error, innererror } = body as Record<string, unknown>;
  if ([code, type].some((one) => typeof one === 'string' && filters.test(one))) return true;
  return isFiltered(error, depth + 1) || isFiltered(innererror, depth + 1);
}

/** The error for a type or code in a provider's error event. */
export function errorOfType(provider: string, type: string): ProviderError {
  const detail = 'reported an error while it answered';
  if (/rate_limit|quota|too_many/.test(type)) return new ProviderError(provider, 'rate_limited', detail);
  if (/auth|permission|invalid_api_key/.test(type)) return new ProviderError(provider, 'unauthorized', detail);
  if (filters.test(type)) return new ProviderError(provider, 'content_filtered', detail);
  if (/invalid|not_found|unsupported/.test(type)) return new ProviderError(provider, 'invalid_request', detail);
  return new ProviderError(provider, 'unavailable', detail);
}
