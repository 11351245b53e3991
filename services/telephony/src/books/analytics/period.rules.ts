import type { CallAnalyticsQuery, UsageQuery } from '@parley/contract';
import { invalidField } from '@parley/errors';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The default and the maximum length of the reported period. */
const spans = {
  hour: { usual: dayMs, longest: 31 * dayMs },
  day: { usual: 30 * dayMs, longest: 400 * dayMs },
} as const;

/** Maximum of slices in a response. */
export const mostSlices = 5_000;

export interface Period {
  readonly from: Date;
  readonly to: Date;
}

export const analyticsPeriodOf = (query: Pick<CallAnalyticsQuery, 'from' | 'to' | 'interval'>, now: Date): Period =>
  periodOf(query, spans[query.interval], now);

/** The usage of messages is counted from individual message rows, so its period is limited to this many days. */
export const usagePeriodOf = (query: UsageQuery, now: Date): Period =>
  periodOf(query, { usual: 30 * dayMs, longest: 93 * dayMs }, now);

/** The period in whole hours: it includes the hour of `from`, and the hour of `to` unless `to` is its first moment. */
function periodOf(
  { from, to }: Pick<UsageQuery, 'from' | 'to'>,
  span: { readonly usual: number; readonly longest: number },
  now: Date,
): Period {
  const end = Math.ceil((to === undefined ? now.getTime() : Date.parse(to)) / hourMs) * hourMs;
  const start = Math.floor((from === undefined ? end - span.usual : Date.parse(from)) / hourMs) * hourMs;
  if (start >= end) throw invalidField('to', 'too_small', 'must be later than from');
  if (end - start > span.longest + dayMs)
    throw invalidField('from', 'too_small', `must be at most ${span.longest / dayMs} days before to`);
  return { from: new Date(start), to: new Date(end) };
}
