import type { CallAnalyticsQuery } from '@parley/contract';
import { invalidField } from '@parley/errors';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** How far back an answer goes where nothing is said, and how long a period may be. */
const spans = {
  hour: { usual: dayMs, longest: 31 * dayMs },
  day: { usual: 30 * dayMs, longest: 400 * dayMs },
} as const;

/** Of an answer. */
export const mostSlices = 5_000;

/** Whole hours: the hour of `from` is in it, and that of `to` where it is not its beginning. */
export function periodOf(
  { from, to, interval }: Pick<CallAnalyticsQuery, 'from' | 'to' | 'interval'>,
  now: Date,
): { readonly from: Date; readonly to: Date } {
  const span = spans[interval];
  const end = Math.ceil((to === undefined ? now.getTime() : Date.parse(to)) / hourMs) * hourMs;
  const start = Math.floor((from === undefined ? end - span.usual : Date.parse(from)) / hourMs) * hourMs;
  if (start >= end) throw invalidField('to', 'too_small', 'must be later than from');
  if (end - start > span.longest + dayMs)
    throw invalidField('from', 'too_small', `must be at most ${span.longest / dayMs} days before to, by ${interval}`);
  return { from: new Date(start), to: new Date(end) };
}
