/** Recent admissions by second and by minute since 1970, oldest first: enough for windows of a minute and of an hour. */
interface Recent {
  readonly seconds: readonly (readonly [number, number])[];
  readonly minutes: readonly (readonly [number, number])[];
}

export interface RecentCounts {
  readonly lastMinute: number;
  readonly lastHour: number;
}

const windowSteps = 60;

const read = (text: string): Recent => (text === '' ? { seconds: [], minutes: [] } : (JSON.parse(text) as Recent));

/**
 * The steps that overlap a window ending in step `now`: sixty complete ones and the current one. The window is therefore slightly too long, so that no sixty
 * consecutive seconds (or minutes) ever exceed the limit.
 */
const within = (steps: Recent['seconds'], now: number): Recent['seconds'] =>
  steps.filter(([step]) => step >= now - windowSteps);

const sum = (steps: Recent['seconds']): number => steps.reduce((total, [, count]) => total + count, 0);

const secondOf = (now: Date): number => Math.floor(now.getTime() / 1000);
const minuteOf = (now: Date): number => Math.floor(now.getTime() / 60_000);

/** The number of admissions in the last minute and in the last hour. */
export function countRecent(text: string, now: Date): RecentCounts {
  const { seconds, minutes } = read(text);
  return { lastMinute: sum(within(seconds, secondOf(now))), lastHour: sum(within(minutes, minuteOf(now))) };
}

/** The text with `count` more admissions at `now`, without entries older than the windows. */
export function noteRecent(text: string, now: Date, count: number): string {
  if (count === 0) return text;
  const { seconds, minutes } = read(text);
  return JSON.stringify({
    seconds: add(within(seconds, secondOf(now)), secondOf(now), count),
    minutes: add(within(minutes, minuteOf(now)), minuteOf(now), count),
  });
}

function add(steps: Recent['seconds'], step: number, count: number): Recent['seconds'] {
  const last = steps.at(-1);
  // The clock reading may be slightly older than that of another statement: count it in the newest step.
  if (last !== undefined && last[0] >= step) return [...steps.slice(0, -1), [last[0], last[1] + count]];
  return [...steps, [step, count]];
}
