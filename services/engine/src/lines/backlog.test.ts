import { Backlog } from './backlog';

const rate = 8_000;
const frameMs = 20;
let now = 0;
let heard: number[] = [];
let dropped = 0;
let sent = 0;
let backlog: Backlog;

beforeEach(() => {
  jest.useFakeTimers();
  [now, heard, dropped, sent] = [0, [], 0, 0];
  backlog = new Backlog({
    sampleRate: rate,
    now: () => now,
    audio: ([first = -1]) => void heard.push(first),
    dropped: () => void (dropped += 1),
  });
});
afterEach(() => jest.useRealTimers());

/** Frames that begin with their own number. @returns whether all were accepted */
const sends = (ms: number, inTime = false): boolean => {
  let accepted = true;
  for (let at = 0; at < ms; at += frameMs) {
    if (inTime) now += frameMs;
    accepted = backlog.take(new Int16Array((rate * frameMs) / 1_000).fill(sent)) && accepted;
    sent += 1;
  }
  jest.advanceTimersByTime(40);
  return accepted;
};

it('passes audio in time on immediately', () => {
  for (let n = 1; n <= 500; n += 1) {
    now += frameMs;
    backlog.take(new Int16Array(160).fill(n));
    expect(heard).toHaveLength(n);
  }
  expect(dropped).toBe(0);
});

it.each([
  [2_000, 0],
  [3_000, 1_000],
  [10_000, 8_000],
  [60_000, 58_000],
])(
  'after a pause of %d ms all of which arrives at once, %d ms are dropped, and nearly all of it from the beginning',
  (pause, lost) => {
    sends(1_000, true);
    now += pause;
    expect(sends(pause)).toBe(true);
    expect(heard.length).toBe(50 + (pause - lost) / frameMs);
    expect(dropped).toBe(lost > 0 ? 1 : 0);
    expect(heard.at(-1)).toBe(sent - 1);
    const latest = heard.slice(-90);
    expect(latest).toEqual(latest.map((_, n) => sent - 90 + n));
    sends(2_000, true);
    expect(heard.at(-1)).toBe(sent - 1);
  },
);

it.each([
  [10_000, true],
  [10_020, false],
])('a sender %d ms ahead of the time since the beginning is accepted: %s', (ms, accepted) =>
  expect(sends(ms)).toBe(accepted),
);

it('tolerates a clock that is one percent fast, for an hour', () => {
  for (let minute = 0; minute < 60; minute += 1) {
    now += 60_000;
    expect(sends(60_600)).toBe(true);
  }
});

it('delivers nothing after the end', () => {
  backlog.take(new Int16Array(rate * 1.5));
  backlog.end();
  jest.advanceTimersByTime(1_000);
  expect(heard).toEqual([]);
});
