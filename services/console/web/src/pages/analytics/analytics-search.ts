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
const dayMs = 24 * hourMs;
const lengths: Readonly<Record<Period, number>> = {
  day: dayMs,
  week: 7 * dayMs,
  month: 30 * dayMs,
  quarter: 90 * dayMs,
};

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

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const hour = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Days are those of UTC; hours are shown in the reader's zone. */
export const intervalNames: Readonly<Record<Interval, (ms: number) => string>> = {
  day: (ms) => day.format(ms),
  hour: (ms) => hour.format(ms),
};

export interface Span {
  readonly interval: Interval;
  /** Milliseconds; of whole intervals. */
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
}

/** Whole intervals in UTC, to the end of the one that goes on. By hour the platform takes 31 days at most. */
export function spanOf({ interval, period = 'month' }: AnalyticsSearch, now: number): Span {
  const fitting = period === 'quarter' ? 'day' : (interval ?? (period === 'day' ? 'hour' : 'day'));
  const stepMs = fitting === 'hour' ? hourMs : dayMs;
  const to = (Math.floor(now / stepMs) + 1) * stepMs;
  return { interval: fitting, from: to - Math.max(lengths[period], stepMs), to, stepMs };
}
