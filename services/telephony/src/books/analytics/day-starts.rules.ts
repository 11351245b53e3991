import { invalidField } from '@parley/errors';
import type { Period } from './period.rules';

const hourMs = 3_600_000;
/** Clock changes make days of 23 and 25 hours, and a change of the zone itself one of 47 at most: so far back is always an earlier day. */
const longestDayMs = 48 * hourMs;

function dateFormatOf(zone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone, dateStyle: 'short' });
  } catch {
    throw invalidField('time_zone', 'format', 'must be an IANA time zone, such as Europe/Berlin');
  }
}

/**
 * The beginnings of the days of a time zone that overlap a period, ascending. Sums are kept by whole hours of UTC, so a day begins with its first whole hour:
 * where midnight is within an hour, that hour belongs to the day that ends in it.
 */
export function dayStartsOf({ from, to }: Period, zone: string): Date[] {
  const format = dateFormatOf(zone);
  const starts: number[] = [];
  let previous = format.format(from.getTime() - longestDayMs);
  for (let at = from.getTime() - longestDayMs + hourMs; at < to.getTime(); at += hourMs) {
    const date = format.format(at);
    if (date === previous) continue;
    previous = date;
    // Only the last start at or before the period is needed.
    if (at <= from.getTime()) starts.length = 0;
    starts.push(at);
  }
  return starts.map((ms) => new Date(ms));
}
