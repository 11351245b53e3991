import fc from 'fast-check';
import { noteRecent } from '../books/organizations/velocity.rules';
import { allowance, mostInReview } from './pacer.rules';

/** About a minute of passes at random times, in which a random number of calls ends. */
const history = fc.array(
  fc.record({ afterMs: fc.integer({ min: 0, max: 5_000 }), over: fc.integer({ min: 0, max: 30 }) }),
  { minLength: 20, maxLength: 120 },
);
const limits = fc.record({
  maxConcurrent: fc.integer({ min: 1, max: 40 }),
  callsPerMinute: fc.integer({ min: 1, max: 60 }),
});

describe('pacing of campaign calls', () => {
  it('property: never exceeds max_concurrent live calls or calls_per_minute in any 60 seconds', () => {
    fc.assert(
      fc.property(history, limits, (passes, { maxConcurrent, callsPerMinute }) => {
        let now = Date.UTC(2026, 0, 1);
        let recent = '';
        let live = 0;
        const placed: number[] = [];
        for (const { afterMs, over } of passes) {
          now += afterMs;
          live = Math.max(0, live - over);
          const at = new Date(now);
          const { calls } = allowance({ live, inReview: 0, maxConcurrent, callsPerMinute, recent }, at);
          live += calls;
          recent = noteRecent(recent, at, calls);
          for (let n = 0; n < calls; n += 1) placed.push(now);
          expect(live).toBeLessThanOrEqual(maxConcurrent);
        }
        for (const begin of placed) {
          const within = placed.filter((time) => time >= begin && time < begin + 60_000);
          expect(within.length).toBeLessThanOrEqual(callsPerMinute);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('property: allows a call whenever neither limit is reached', () => {
    fc.assert(
      fc.property(history, limits, (passes, { maxConcurrent, callsPerMinute }) => {
        let now = Date.UTC(2026, 0, 1);
        let recent = '';
        let live = 0;
        let placed: number[] = [];
        for (const { afterMs, over } of passes) {
          now += afterMs;
          live = Math.max(0, live - over);
          // The current second counts as a whole, so the limit may see up to 61 seconds; older placements never delay others.
          placed = placed.filter((time) => time > now - 61_000);
          const at = new Date(now);
          const { calls, heldBy } = allowance({ live, inReview: 0, maxConcurrent, callsPerMinute, recent }, at);
          if (live < maxConcurrent && placed.length < callsPerMinute) expect(calls).toBeGreaterThan(0);
          if (calls === 0 && live < maxConcurrent) expect(heldBy).toBe('pace');
          live += calls;
          recent = noteRecent(recent, at, calls);
          placed.push(...Array.from({ length: calls }, () => now));
        }
      }),
      { numRuns: 200 },
    );
  });

  it('500 contacts at 30 calls a minute are all called in the expected time', () => {
    let now = Date.UTC(2026, 0, 1);
    let recent = '';
    let left = 500;
    for (let pass = 0; left > 0 && pass < 100_000; pass += 1) {
      now += 1_000;
      const at = new Date(now);
      const { calls } = allowance({ live: 0, inReview: 0, maxConcurrent: 7, callsPerMinute: 30, recent }, at);
      recent = noteRecent(recent, at, calls);
      left -= calls;
    }
    expect(left).toBeLessThanOrEqual(0);
    expect((now - Date.UTC(2026, 0, 1)) / 60_000).toBeLessThan(500 / 30 + 2);
  });

  it.each<[number, number, string | null]>([
    [mostInReview - 1, 1, null],
    [mostInReview, 0, 'reviews'],
  ])('with %i calls in review allows %i, held by %s', (inReview, calls, heldBy) => {
    const pace = { live: 0, inReview, maxConcurrent: 10, callsPerMinute: 100, recent: '' };
    expect(allowance(pace, new Date())).toEqual({ calls, heldBy });
  });
});
