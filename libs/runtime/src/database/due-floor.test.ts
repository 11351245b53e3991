import type { Queryable } from './database';
import { DueFloor } from './due-floor';

describe('DueFloor', () => {
  let now = 0;
  const clock = { monotonicMs: () => now };
  const at = (ms: number): string => new Date(ms).toISOString();
  const minutes = (count: number): number => count * 60_000;

  beforeEach(() => (now = 0));

  it('is -infinity at first, and three minutes in the past if nothing is waiting', () => {
    const floor = new DueFloor(clock);
    expect(floor.value).toBe('-infinity');
    floor.looked(minutes(10), null);
    expect(floor.value).toBe(at(minutes(7)));
  });

  it('is not above the earliest waiting job', () => {
    const floor = new DueFloor(clock);
    floor.looked(minutes(10), minutes(2));
    expect(floor.value).toBe(at(minutes(2)));
  });

  it('is at least three minutes in the past, for transactions that have not committed yet', () => {
    const floor = new DueFloor(clock);
    floor.looked(minutes(10), minutes(9));
    expect(floor.value).toBe(at(minutes(7)));
  });

  it.each<[string, number | null, number]>([
    ['a second in the past if nothing is waiting', null, minutes(10) - 1_000],
    ['a second in the past if the earliest waiting row is later', minutes(10) - 999, minutes(10) - 1_000],
    ['the earliest waiting row if that is earlier', minutes(10) - 1_001, minutes(10) - 1_001],
    ['the earliest waiting row if that is below the floor of late commits', minutes(2), minutes(2)],
  ])('the floor of frequent reads is %s', (_name, first, expected) => {
    const floor = new DueFloor(clock, { nearMs: 1_000 });
    expect(floor.near).toBe('-infinity');
    floor.looked(minutes(10), first);
    expect(floor.near).toBe(at(expected));
    floor.lower();
    expect(floor.near).toBe(floor.value);
  });

  it('a frequent read raises the floor of the next one, never above the first waiting row, and does not lower it', () => {
    const floor = new DueFloor(clock, { nearMs: 1_000 });
    floor.looked(minutes(10), null);
    floor.raise(minutes(10) + 5_000, minutes(10) + 2_000);
    expect(floor.near).toBe(at(minutes(10) + 2_000));
    floor.raise(minutes(10) + 6_000, minutes(10) + 1_000);
    expect(floor.near).toBe(at(minutes(10) + 2_000));
    floor.raise(minutes(10) + 7_000, null);
    expect(floor.near).toBe(at(minutes(10) + 6_000));
    floor.looked(minutes(10) + 8_000, minutes(10));
    expect([floor.value, floor.near]).toEqual([at(minutes(7) + 8_000), at(minutes(10))]);
  });

  it('is updated by a query from it, not more often than required', async () => {
    const floor = new DueFloor(clock);
    const asked: unknown[] = [];
    const db: Queryable = {
      query: ({ text, values }) => {
        asked.push([text.includes('(select 1 where $1 is null)'), values]);
        return Promise.resolve({ rows: [{ database_ms: minutes(10), first_ms: minutes(2) }] as never[], rowCount: 1 });
      },
    };
    const look = (): Promise<void> => floor.look(db, 'first', 'select 1 where $1 is null');
    await look();
    await look();
    expect(floor.value).toBe(at(minutes(2)));
    now = 10_000;
    await look();
    expect(asked).toEqual([
      [true, ['-infinity']],
      [true, [at(minutes(2))]],
    ]);
  });

  it('requires queries at another interval if that is given; the floor of frequent reads restarts with the other one', () => {
    const floor = new DueFloor(clock, { lookEveryMs: 2_000, nearMs: 1_000 });
    expect(floor.wantsLook()).toBe(true);
    floor.looked(minutes(10), null);
    now += 1_999;
    expect(floor.wantsLook()).toBe(false);
    now += 1;
    expect(floor.wantsLook()).toBe(true);
    now += minutes(60);
    expect(floor.wantsLook()).toBe(true);
    expect([floor.value, floor.near]).toEqual(['-infinity', '-infinity']);
  });

  it('requires a query every ten seconds, and restarts at -infinity once an hour', () => {
    const floor = new DueFloor(clock);
    expect(floor.wantsLook()).toBe(true);
    expect(floor.wantsLook()).toBe(false);
    floor.looked(minutes(10), null);
    now += 10_000;
    expect(floor.wantsLook()).toBe(true);
    expect(floor.value).not.toBe('-infinity');
    now += minutes(60);
    expect(floor.wantsLook()).toBe(true);
    expect(floor.value).toBe('-infinity');
  });
});
