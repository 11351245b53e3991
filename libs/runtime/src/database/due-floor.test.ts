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
