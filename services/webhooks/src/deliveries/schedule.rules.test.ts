import { fakeClock } from '@parley/testing';
import { verdictOf } from './attempt-verdict.rules';
import { attemptDelaysMs, nextDelayMs, retryAfterMs } from './schedule.rules';

const minutes = (count: number) => count * 60_000;
const hours = (count: number) => count * 3_600_000;

describe('schedule of attempts', () => {
  it('attempts at 0, 5 s, 30 s, 2 m, 10 m, 30 m, 1, 2, 4, 8, 12, 24, 24 h', () => {
    expect(attemptDelaysMs).toEqual([
      0,
      5_000,
      30_000,
      minutes(2),
      minutes(10),
      minutes(30),
      hours(1),
      hours(2),
      hours(4),
      hours(8),
      hours(12),
      hours(24),
      hours(24),
    ]);
  });

  it('a delivery that always fails follows the whole schedule and then ends as exhausted', () => {
    const clock = fakeClock();
    const startedAt: number[] = [];
    for (let number = 1; ; number += 1) {
      startedAt.push(clock.monotonicMs());
      const verdict = verdictOf({ number, status: 500 }, 0.5, clock.now());
      if (verdict.kind !== 'retry') {
        expect(verdict.kind).toBe('exhausted');
        break;
      }
      clock.advance(verdict.delayMs);
    }
    let sum = 0;
    expect(startedAt).toEqual(attemptDelaysMs.map((delay) => (sum += delay)));
  });

  it.each(attemptDelaysMs.slice(1).map((delay, place) => [place + 1, delay] as const))(
    'varies the delay after attempt %i by up to 20 % in both directions',
    (failed, delay) => {
      expect(nextDelayMs(failed, 0)).toBe(Math.round(delay * 0.8));
      expect(nextDelayMs(failed, 0.5)).toBe(delay);
      expect(nextDelayMs(failed, 1)).toBe(Math.round(delay * 1.2));
    },
  );

  it('ends after attempt 13', () => {
    expect(nextDelayMs(12, 0.5)).toBe(hours(24));
    expect(nextDelayMs(13, 0.5)).toBeUndefined();
    expect(nextDelayMs(13, 0.5, 1000)).toBeUndefined();
  });

  it('is never shorter than Retry-After', () => {
    expect(nextDelayMs(1, 0.5, 4_000)).toBe(5_000);
    expect(nextDelayMs(1, 0.5, 60_000)).toBe(60_000);
  });

  const now = new Date('2026-01-01T00:00:00.000Z');
  it.each([
    ['0', 0],
    ['120', 120_000],
    [' 7 ', 7_000],
    ['86400', hours(24)],
    ['86401', hours(24)],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    ['Thu, 01 Jan 2026 00:00:00 GMT', 0],
    ['Wed, 31 Dec 2025 23:00:00 GMT', 0],
    ['Thu, 01 Jan 2027 00:00:00 GMT', hours(24)],
    ['-1', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['2026-01-01', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('parses Retry-After %j as %j ms', (header, expected) => {
    expect(retryAfterMs(header, now)).toBe(expected);
  });
});
