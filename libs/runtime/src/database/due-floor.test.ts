import { DueFloor } from './due-floor';

describe('the floor of a queue', () => {
  let now = 0;
  const clock = { monotonicMs: () => now };
  const at = (ms: number): string => new Date(ms).toISOString();
  const minutes = (count: number): number => count * 60_000;

  beforeEach(() => (now = 0));

  it('is the beginning before the first look, and stays three minutes below the present where nothing waits', () => {
    const floor = new DueFloor(clock);
    expect(floor.value).toBe('-infinity');
    floor.looked(minutes(10), null);
    expect(floor.value).toBe(at(minutes(7)));
  });

  it('never rises above what waits', () => {
    const floor = new DueFloor(clock);
    floor.looked(minutes(10), minutes(2));
    expect(floor.value).toBe(at(minutes(2)));
  });

  it('stays three minutes below the present for what a transaction under way makes due', () => {
    const floor = new DueFloor(clock);
    floor.looked(minutes(10), minutes(9));
    expect(floor.value).toBe(at(minutes(7)));
  });

  it('wants a look every ten seconds, and begins at the beginning once an hour', () => {
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
