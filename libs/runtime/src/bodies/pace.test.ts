import { Pace } from './pace';

describe('Pace', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** After how many milliseconds a body is refused, within two minutes, to which `bytes` arrive every `everyMs`. */
  function refusedAfter(bytes: number, everyMs: number, first = 0): number | undefined {
    const began = performance.now();
    let refused: number | undefined;
    const pace = new Pace(() => (refused = performance.now() - began));
    pace.wait();
    pace.note(first);
    while (refused === undefined && performance.now() - began < 120_000) {
      jest.advanceTimersByTime(everyMs);
      if (refused === undefined) pace.note(bytes);
    }
    pace.stop();
    return refused;
  }

  it.each([
    ['nothing', 0, 1_000, 0, 5_000],
    ['nothing after a megabyte', 0, 1_000, 1_000_000, 5_000],
    ['1 byte a second', 1, 1_000, 0, 5_005],
    ['half a KiB a second', 512, 1_000, 0, 9_000],
    ['1,023 bytes a second', 1_023, 1_000, 0, undefined],
    ['1 KiB a second', 1_024, 1_000, 0, undefined],
    ['4 KiB every 4 seconds', 4_096, 4_000, 0, undefined],
    ['6 KiB every 6 seconds', 6_144, 6_000, 0, 5_000],
  ])('%s', (_what, bytes, everyMs, first, refused) => {
    const after = refusedAfter(bytes, everyMs, first);
    if (refused === undefined) expect(after).toBeUndefined();
    else expect(Math.abs((after ?? 0) - refused)).toBeLessThan(10);
  });

  it('does not count the time in which nothing is awaited', () => {
    const late = jest.fn();
    const pace = new Pace(late);
    pace.wait();
    jest.advanceTimersByTime(3_000);
    pace.stop();
    pace.note(0);
    jest.advanceTimersByTime(60_000);
    pace.wait();
    jest.advanceTimersByTime(1_900);
    expect(late).not.toHaveBeenCalled();
    jest.advanceTimersByTime(200);
    expect(late).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['10,000 pieces of 1 byte', 10_000, 1, 0],
    ['10,001 pieces of 1 byte', 10_001, 1, 1],
    ['10,001 pieces of 63 bytes', 10_001, 63, 1],
    ['20,000 pieces of 64 bytes', 20_000, 64, 0],
  ])('%s', (_what, pieces, bytes, refusals) => {
    const late = jest.fn();
    const pace = new Pace(late);
    for (let nth = 0; nth < pieces; nth += 1) pace.note(bytes);
    expect(late).toHaveBeenCalledTimes(refusals);
  });
});
