import { ProviderError } from './provider-error';

const longestRetryAfterMs = 3_600_000;

/** The delay in milliseconds from a `Retry-After` header, as seconds or a date; undefined if it is absent or invalid. At most an hour. */
export function retryAfterMs(header: string | null | undefined, now: number): number | undefined {
  if (header === null || header === undefined || header.trim() === '') return undefined;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? undefined : Math.min(longestRetryAfterMs, Math.max(0, Math.round(ms)));
}

/** The error for an HTTP status that is not a success. */
export function errorOfStatus(provider: string, status: number, retryAfter?: number): ProviderError {
  if (status === 401 || status === 403) return new ProviderError(provider, 'unauthorized', `answered ${status}`);
  if (status === 429) return new ProviderError(provider, 'rate_limited', 'answered 429', retryAfter);
  if (status >= 500) return new ProviderError(provider, 'unavailable', `answered ${status}`, retryAfter);
  if (status >= 400) return new ProviderError(provider, 'invalid_request', `answered ${status}`);
  return new ProviderError(provider, 'invalid_answer', `answered ${status}`);
}

export const stalled = (provider: string): ProviderError =>
  new ProviderError(provider, 'stalled', 'sent nothing within the time allowed');

export const canceled = (provider: string): ProviderError =>
  new ProviderError(provider, 'canceled', 'the request was aborted');

export const disconnected = (provider: string): ProviderError =>
  new ProviderError(provider, 'disconnected', 'closed the connection before the answer was complete');

export const invalidAnswer = (provider: string, what: string): ProviderError =>
  new ProviderError(provider, 'invalid_answer', what);
