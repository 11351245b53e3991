import { weekdays, type CampaignWindow } from '@parley/contract';

/** A moment as local date and time. */
interface LocalTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** Minutes since local midnight. */
  readonly minute: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  formats.set(zone, format);
  return format;
}

function localTime(at: Date, zone: string): LocalTime {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  return {
    year: part('year'),
    month: part('month'),
    day: part('day'),
    minute: part('hour') * 60 + part('minute'),
  };
}

const minuteOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));

/** Days since 1970 of a calendar date. */
const dayNumber = ({ year, month, day }: LocalTime): number => Date.UTC(year, month - 1, day) / 86_400_000;

/** 1970-01-01 was a Thursday. */
const weekdayOf = (days: number): (typeof weekdays)[number] => weekdays[(((days + 3) % 7) + 7) % 7] ?? 'mon';

/**
 * Whether a window is open, by the local time of its zone. Around clock changes, an hour skipped in spring is not in the window, and an hour repeated in autumn
 * is in it twice: no one is called at a local time outside the window.
 */
export function isOpen({ time_zone, days, start, end }: CampaignWindow, at: Date): boolean {
  const local = localTime(at, time_zone);
  const from = minuteOf(start);
  const until = minuteOf(end);
  const today = dayNumber(local);
  if (from < until) return days.includes(weekdayOf(today)) && local.minute >= from && local.minute < until;
  // A window over midnight: the part before midnight belongs to its own weekday, the part after midnight to the previous weekday.
  if (local.minute >= from) return days.includes(weekdayOf(today));
  return local.minute < until && days.includes(weekdayOf(today - 1));
}

const quarterMs = 15 * 60_000;
const minuteMs = 60_000;
/** Eight days contain every opening of a weekly window, even across clock changes. */
const mostQuarters = 8 * 96;

/**
 * When a window opens next; `at` itself while it is open. UTC offsets are multiples of a quarter of an hour, so the search checks each quarter-hour boundary
 * and then the minutes before it.
 */
export function nextOpening(window: CampaignWindow, at: Date): Date {
  if (isOpen(window, at)) return at;
  let before = Math.floor(at.getTime() / minuteMs) * minuteMs;
  for (let quarter = 0; quarter < mostQuarters; quarter += 1) {
    const boundary = (Math.floor(before / quarterMs) + 1) * quarterMs;
    const opened = firstOpenMinute(window, before, boundary);
    if (opened !== undefined) return new Date(opened);
    before = boundary;
  }
  return new Date(before);
}

function firstOpenMinute(window: CampaignWindow, after: number, until: number): number | undefined {
  const length = (minuteOf(window.end) - minuteOf(window.start) + 1440) % 1440;
  // A window of at least a quarter of an hour always contains a quarter-hour boundary.
  if (length >= 15 && !isOpen(window, new Date(until))) return undefined;
  for (let minute = after + minuteMs; minute <= until; minute += minuteMs) {
    if (isOpen(window, new Date(minute))) return minute;
  }
  return undefined;
}
