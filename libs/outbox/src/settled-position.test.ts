import { SettledPosition } from './settled-position';

describe('SettledPosition', () => {
  let now: number;
  let settled: SettledPosition;

  beforeEach(() => {
    now = 0;
    settled = new SettledPosition(() => now);
  });
  /** Simulates a pass that reads these waiting positions after some time, while transactions from `xmin` to `xmax` are running. */
  const pass = (afterMs: number, xmin: number, xmax: number, positions: number[] = []): number => {
    now += afterMs;
    settled.passed({ xmin: BigInt(xmin), xmax: BigInt(xmax) }, positions);
    return settled.value;
  };

  it('advances when every transaction that began within a second of reading a position has ended', () => {
    expect(pass(0, 10, 12, [5, 6, 7])).toBe(0);
    expect(pass(999, 20, 20)).toBe(0);
    // From now on it is known which transactions must end first: those below 31.
    expect(pass(1, 25, 31)).toBe(0);
    expect(pass(50, 30, 40)).toBe(0);
    expect(pass(50, 31, 40)).toBe(7);
  });

  it('follows the published positions at a distance of little more than a second, while events are published all the time', () => {
    for (let tick = 0; tick <= 30; tick += 1) {
      const position = 100 + tick;
      const value = pass(100, 10 * tick, 10 * tick, [position]);
      // A second for transactions that are on their way, and a pass in which those have ended.
      if (tick > 11) expect(value).toBe(position - 11);
    }
  });

  it('remembers a bounded number of positions while a transaction stays open, and advances when it has ended', () => {
    for (let tick = 0; tick < 100; tick += 1) expect(pass(100, 5, 10 + tick, [100 + tick])).toBe(0);
    expect(pass(100, 200, 200)).toBe(115);
    pass(0, 200, 200, [200]);
    pass(1_000, 200, 200);
    expect(pass(0, 200, 200)).toBe(200);
  });

  it('stays below a waiting event, and advances when it is published', () => {
    pass(0, 10, 10, [5, 6, 7]);
    pass(1_000, 20, 20, [6]);
    expect(pass(50, 20, 20, [6])).toBe(5);
    pass(1_000, 20, 20, [6]);
    expect(pass(50, 20, 20)).toBe(6);
  });

  it('never decreases while passes continue', () => {
    pass(0, 10, 10, [7]);
    pass(1_000, 20, 20);
    pass(0, 20, 20);
    expect(settled.value).toBe(7);
    pass(0, 20, 20, [8]);
    pass(1_000, 20, 20, [8]);
    expect(pass(0, 20, 20, [8])).toBe(7);
  });

  it.each([
    [3_599_999, 7],
    [3_600_000, 0],
  ])('%i ms after its start the value is %i, because it restarts after an hour', (ms, value) => {
    pass(0, 10, 10, [7]);
    pass(1_000, 20, 20);
    pass(0, 20, 20);
    expect(pass(ms - 1_000, 20, 20)).toBe(value);
  });

  it('restarts at 0 after a failure', () => {
    pass(0, 10, 10, [7]);
    pass(1_000, 20, 20);
    expect(pass(0, 20, 20)).toBe(7);
    settled.reset();
    expect(settled.value).toBe(0);
  });
});
