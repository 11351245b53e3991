import fc from 'fast-check';
import { SendRate } from './send-rate.rules';

describe('SendRate', () => {
  it('allows as many as the limit, and one more when a second has passed since the first', () => {
    const pace = new SendRate(2);
    pace.began(0);
    pace.began(400);
    expect([pace.room(400), pace.room(999), pace.room(1_000), pace.room(1_399), pace.room(1_400)]).toEqual([
      0, 0, 1, 1, 2,
    ]);
  });

  it('rested() is true if nothing was sent for a second', () => {
    const pace = new SendRate(5);
    expect(pace.rested(0)).toBe(true);
    pace.began(0);
    expect([pace.rested(999), pace.rested(1_000)]).toEqual([false, true]);
  });

  it('is unlimited without a limit, and applies a new limit immediately', () => {
    const pace = new SendRate(null);
    pace.began(0);
    expect([pace.room(1), pace.rested(1)]).toEqual([Infinity, true]);
    pace.limit = 3;
    expect(pace.room(1)).toBe(3);
  });

  it('never allows more than the limit within any second', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.array(fc.nat(400), { maxLength: 60 }), (limit, gaps) => {
        const pace = new SendRate(limit);
        const begun: number[] = [];
        let now = 0;
        for (const gap of gaps) {
          now += gap;
          if (pace.room(now) === 0) continue;
          pace.began(now);
          begun.push(now);
        }
        for (const from of begun) {
          expect(begun.filter((at) => at >= from && at < from + 1_000).length).toBeLessThanOrEqual(limit);
        }
      }),
    );
  });
});
