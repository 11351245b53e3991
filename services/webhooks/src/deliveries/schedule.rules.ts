const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Milliseconds before each attempt, from the previous one (docs/reference/endpoints-and-events.md): 13 attempts. */
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

/** The fraction of a delay by which it is randomly shortened or extended. */
export const jitter = 0.2;

/** The maximum delay that a receiver can request. */
export const longestRetryAfterMs = 24 * hour;

/** An endpoint without a successful attempt for this long is parked. */
export const parkAfterDays = 5;

/** The delay in milliseconds requested by a Retry-After header, in either format; undefined if it is invalid. */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Math.min(Number(text) * second, longestRetryAfterMs);
  // An HTTP date always starts with the day's name; Date.parse alone would accept many other formats.
  if (!/^[A-Z][a-z]{2,8},? /.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.min(Math.max(at - now.getTime(), 0), longestRetryAfterMs);
}

/**
 * Milliseconds from a failed attempt to the next one; undefined when that was the last.
 * @param failed the number of the attempt that failed, from 1
 * @param random 0 inclusive to 1 exclusive
 * @param askedMs what Retry-After asked for: never earlier than that
 */
export function nextDelayMs(failed: number, random: number, askedMs?: number): number | undefined {
  const delay = attemptDelaysMs[failed];
  if (delay === undefined) return undefined;
  return Math.max(Math.round(delay * (1 - jitter + 2 * jitter * random)), askedMs ?? 0);
}
