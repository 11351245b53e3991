/** What the page shows, in the address. */
export interface AnalyticsSearch {
  readonly by?: Group;
  readonly figure?: Figure;
  readonly interval?: Interval;
  readonly period?: Period;
  readonly agent?: string;
}

export const groups = ['agent_id', 'direction', 'channel', 'carrier', 'status', 'ended_reason', 'project_id'] as const;
export type Group = (typeof groups)[number];
export const figures = ['calls', 'answered', 'minutes', 'cost', 'p50', 'p95'] as const;
export type Figure = (typeof figures)[number];
export const intervals = ['hour', 'day'] as const;
export type Interval = (typeof intervals)[number];
export const periods = ['day', 'week', 'month', 'quarter'] as const;
export type Period = (typeof periods)[number];

const hourMs = 3_600_000;
const days: Readonly<Record<Period, number>> = { day: 1, week: 7, month: 30, quarter: 90 };

const oneOf = <T extends string>(list: readonly T[], value: unknown): T | undefined =>
  list.find((one) => one === value);

/** Unknown values are dropped. */
export function analyticsSearch(search: Record<string, unknown>): AnalyticsSearch {
  const { agent } = search;
  const found = {
    by: oneOf(groups, search['by']),
    figure: oneOf(figures, search['figure']),
    interval: oneOf(intervals, search['interval']),
    period: oneOf(periods, search['period']),
    agent: typeof agent === 'string' && agent !== '' ? agent : undefined,
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** Of the reader, for the days of the platform's sums. */
export const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const hour = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

export const intervalNames: Readonly<Record<Interval, (ms: number) => string>> = {
  day: (ms) => day.format(ms),
  hour: (ms) => hour.format(ms),
};

/** Midnight at the beginning of the reader's day, some days later; the first moment of a day without a midnight. */
function midnight(ms: number, later: number): number {
  const at = new Date(ms);
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() + later).getTime();
}

/** The beginning of the interval that a moment is in, some intervals later. */
const beginOf: Readonly<Record<Interval, (ms: number, later: number) => number>> = {
  day: midnight,
  hour: (ms, later) => (Math.floor(ms / hourMs) + later) * hourMs,
};

/** Sums are kept by whole hours, so a day whose midnight is within an hour is that of the platform from the next hour on. */
const wholeHour = (ms: number): number => Math.ceil(ms / hourMs) * hourMs;

export interface Span {
  readonly interval: Interval;
  /** Milliseconds, of whole hours. */
  readonly from: number;
  readonly to: number;
  /** The beginning of each interval. */
  readonly starts: readonly number[];
  /** The interval that a moment is in: its beginning, and its end. */
  readonly beginOf: (ms: number) => number;
  readonly endOf: (ms: number) => number;
}

/** Whole hours, or days of the reader's time zone, to the end of the one that goes on. By hour the platform takes 31 days at most. */
export function spanOf({ interval, period = 'month' }: AnalyticsSearch, now: number): Span {
  const fitting = period === 'quarter' ? 'day' : (interval ?? (period === 'day' ? 'hour' : 'day'));
  const begin = beginOf[fitting];
  const count = days[period] * (fitting === 'hour' ? 24 : 1);
  const starts = Array.from({ length: count }, (_, n) => begin(now, n - count + 1));
  return {
    interval: fitting,
    from: wholeHour(starts[0] ?? now),
    to: wholeHour(begin(now, 1)),
    starts,
    beginOf: (ms) => begin(ms, 0),
    endOf: (ms) => wholeHour(begin(ms, 1)),
  };
}
