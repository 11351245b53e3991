const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The delays in milliseconds before each attempt, from the previous one (docs/reference/endpoints-and-events.md): 13 attempts. */
export const attemptDelaysMs: readonly number[] = [
  0,
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  1 * hour,
  2 * hour,
  4 * hour,
  8 * hour,
  12 * hour,
  24 * hour,
  24 * hour,
];

/** The fraction by which a delay is randomly shortened or extended. */
export const jitter = 0.2;

/** The maximum delay that a receiver can request with Retry-After. */
export const longestRetryAfterMs = 24 * hour;

/** An endpoint is parked after this many days without a successful attempt. */
export const parkAfterDays = 5;

/** The delay in milliseconds requested by a Retry-After header, in either format; undefined if it is invalid. */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Math.min(Number(text) * second, longestRetryAfterMs);
  // An HTTP date always starts with the name of a day; Date.parse alone would accept many other formats.
  if (!/^[A-Z][a-z]{2,8},? /.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.min(Math.max(at - now.getTime(), 0), longestRetryAfterMs);
}

/**
 * Milliseconds from a failed attempt to the next one; undefined if it was the last.
 * @param failed the number of the failed attempt, from 1
 * @param random 0 inclusive to 1 exclusive
 * @param askedMs the delay requested with Retry-After, which is the minimum
 */
export function nextDelayMs(failed: number, random: number, askedMs?: number): number | undefined {
  const delay = attemptDelaysMs[failed];
  if (delay === undefined) return undefined;
  return Math.max(Math.round(delay * (1 - jitter + 2 * jitter * random)), askedMs ?? 0);
}
