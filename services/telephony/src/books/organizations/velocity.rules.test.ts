import { countRecent, noteRecent } from './velocity.rules';

const at = (milliseconds: number): Date => new Date(Date.UTC(2026, 2, 1, 12) + milliseconds);
const seconds = (count: number): number => count * 1000;
const minutes = (count: number): number => count * 60_000;

describe('sliding windows of call rates: five calls', () => {
  it.each([
    ['immediately', 0, 5, 5],
    ['59.9 s later', seconds(59.9), 5, 5],
    ['a minute later, rounded up by one step', seconds(60), 5, 5],
    ['61 s later', seconds(61), 0, 5],
    ['an hour later, rounded up by one step', minutes(60), 0, 5],
    ['61 minutes later', minutes(61), 0, 0],
  ])('%s (%d ms) count as %d in the last minute, %d in the last hour', (_, later, lastMinute, lastHour) => {
    expect(countRecent(noteRecent('', at(0), 5), at(later))).toEqual({ lastMinute, lastHour });
  });

  it('counts only calls within the last minute and hour, in a text of bounded length', () => {
    let text = '';
    for (let second = 0; second < 200; second += 1) text = noteRecent(text, at(seconds(second)), 1);
    expect(countRecent(text, at(seconds(199)))).toEqual({ lastMinute: 61, lastHour: 200 });
    for (let minute = 4; minute < 300; minute += 1) text = noteRecent(text, at(minutes(minute)), 1);
    expect(text.length).toBeLessThan(140);
    expect(countRecent(text, at(minutes(299)))).toEqual({ lastMinute: 2, lastHour: 61 });
  });

  it('a limit of 10 a minute is never exceeded in any 60 seconds', () => {
    let text = '';
    const admitted: number[] = [];
    for (let tick = 0; tick < 2_000; tick += 1) {
      const when = tick * 137;
      if (countRecent(text, at(when)).lastMinute >= 10) continue;
      text = noteRecent(text, at(when), 1);
      admitted.push(when);
    }
    for (const start of admitted) {
      expect(admitted.filter((when) => when >= start && when < start + 60_000).length).toBeLessThanOrEqual(10);
    }
  });

  it('has fewer than 200 characters with 6 calls a second for hours', () => {
    let text = '';
    for (let second = 0; second < 4_000; second += 1) text = noteRecent(text, at(seconds(second)), 6);
    expect(countRecent(text, at(seconds(3_999)))).toEqual({ lastMinute: 366, lastHour: 21_840 });
    expect(text.length).toBeLessThan(200);
  });

  it.each([
    ['a few of the same second', [[0, 3]]],
    ['as many as one digit holds', [[0, 31]]],
    ['one more', [[0, 32]]],
    ['thousands in one second', [[0, 40_000]]],
    [
      'with pauses of seconds',
      [
        [0, 1],
        [3, 2],
        [59, 3],
      ],
    ],
    [
      'with pauses of minutes',
      [
        [0, 1],
        [600, 2],
        [3_599, 3],
      ],
    ],
  ] as const)('counts all calls: %s', (_name, added) => {
    let text = '';
    for (const [second, count] of added) text = noteRecent(text, at(seconds(second)), count);
    const last = added.at(-1)?.[0] ?? 0;
    const sum = (from: number): number =>
      added.reduce((total, [second, count]) => total + (second >= from ? count : 0), 0);
    expect(countRecent(text, at(seconds(last)))).toEqual({ lastMinute: sum(last - 60), lastHour: sum(0) });
  });

  it('a slightly earlier time counts in the newest step; 0 calls change nothing', () => {
    const text = noteRecent(noteRecent('', at(seconds(5)), 1), at(seconds(4)), 1);
    expect(countRecent(text, at(seconds(5))).lastMinute).toBe(2);
    expect(noteRecent(text, at(seconds(900)), 0)).toBe(text);
  });
});
