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

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-';
/** A number consists of digits of five bits, the lowest first; the sixth bit means that another digit follows. */
const more = 32;

/**
 * The format: the number of the first step and the counts of all steps up to the last one, first for seconds, and after a semicolon for minutes.
 * The text is short, because it is part of a row that is written several times for each call.
 */
const read = (text: string): Recent => {
  const [seconds = '', minutes = ''] = text.split(';');
  return { seconds: readSteps(seconds), minutes: readSteps(minutes) };
};

function readSteps(text: string): Recent['seconds'] {
  const [first = 0, ...counts] = readNumbers(text);
  return counts.flatMap((count, index) => (count === 0 ? [] : [[first + index, count] as const]));
}

function writeSteps(steps: Recent['seconds']): string {
  const [[first] = [0]] = steps;
  const counts: number[] = [];
  for (const [step, count] of steps) {
    // At most `windowSteps` steps lie between two.
    while (counts.length < step - first) counts.push(0);
    counts.push(count);
  }
  return [first, ...counts].map(writeNumber).join('');
}

function readNumbers(text: string): number[] {
  const numbers: number[] = [];
  let number = 0;
  let weight = 1;
  for (const character of text) {
    const digit = digits.indexOf(character);
    number += (digit % more) * weight;
    weight *= more;
    if (digit >= more) continue;
    numbers.push(number);
    [number, weight] = [0, 1];
  }
  return numbers;
}

function writeNumber(number: number): string {
  let text = '';
  let left = number;
  for (; left >= more; left = Math.floor(left / more)) text += digits[(left % more) + more];
  return text + digits[left];
}

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
  return [
    add(within(seconds, secondOf(now)), secondOf(now), count),
    add(within(minutes, minuteOf(now)), minuteOf(now), count),
  ]
    .map(writeSteps)
    .join(';');
}

function add(steps: Recent['seconds'], step: number, count: number): Recent['seconds'] {
  const last = steps.at(-1);
  // The clock reading may be slightly older than that of another statement: count it in the newest step.
  if (last !== undefined && last[0] >= step) return [...steps.slice(0, -1), [last[0], last[1] + count]];
  return [...steps, [step, count]];
}
