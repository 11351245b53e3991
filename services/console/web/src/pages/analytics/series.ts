import type { CallAnalyticsSlice } from '@parley/sdk';
import type { Figure, Span } from './analytics-search';

export interface Series {
  readonly key: string | null;
  readonly values: readonly (number | null)[];
}

export interface Totals {
  readonly key: string | null;
  readonly calls: number;
  readonly answered: number;
  readonly seconds: number;
  readonly micros: number;
}

/** Lines are drawn for the keys with the most calls: more than that look alike. The table has all. */
export const mostSeries = 6;

export function valueOf(slice: CallAnalyticsSlice, figure: Figure): number | null {
  switch (figure) {
    case 'calls':
      return slice.calls;
    case 'answered':
      return slice.calls === 0 ? null : (100 * slice.answered) / slice.calls;
    case 'minutes':
      return slice.duration_seconds / 60;
    case 'cost':
      return slice.cost_micros / 1_000_000;
    case 'p50':
    case 'p95':
      return slice.turn_latency_ms[figure];
  }
}

/** An interval without a call has no slice: sums are 0 there, shares and latencies are not known. */
const gapOf = (figure: Figure): number | null => (['calls', 'minutes', 'cost'].includes(figure) ? 0 : null);

export function totalsOf(slices: readonly CallAnalyticsSlice[]): Totals[] {
  const found = new Map<string | null, Totals>();
  for (const { key, calls, answered, duration_seconds: seconds, cost_micros: micros } of slices) {
    const sum = found.get(key) ?? { key, calls: 0, answered: 0, seconds: 0, micros: 0 };
    found.set(key, {
      key,
      calls: sum.calls + calls,
      answered: sum.answered + answered,
      seconds: sum.seconds + seconds,
      micros: sum.micros + micros,
    });
  }
  return [...found.values()].sort((a, b) => b.calls - a.calls);
}

/** A line for each of the keys with the most calls. */
export function seriesOf(slices: readonly CallAnalyticsSlice[], figure: Figure, { starts, beginOf }: Span): Series[] {
  const byKey = new Map<string | null, Map<number, number | null>>();
  for (const slice of slices) {
    const values = byKey.get(slice.key) ?? new Map<number, number | null>();
    byKey.set(slice.key, values.set(beginOf(Date.parse(slice.start)), valueOf(slice, figure)));
  }
  const gap = gapOf(figure);
  return totalsOf(slices)
    .slice(0, mostSeries)
    .map(({ key }) => ({
      key,
      values: starts.map((start) => {
        const value = byKey.get(key)?.get(start);
        return value === undefined ? gap : value;
      }),
    }));
}
