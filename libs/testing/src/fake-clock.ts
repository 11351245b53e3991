import type { Clock } from '@parley/runtime';

export type FakeClock = Clock & { advance(ms: number): void };

/** A clock that changes only when it is advanced; wall clock and monotonic clock advance together. */
export function fakeClock(start: Date = new Date('2026-01-01T00:00:00.000Z')): FakeClock {
  let elapsedMs = 0;
  return {
    now: () => new Date(start.getTime() + elapsedMs),
    monotonicMs: () => elapsedMs,
    advance: (ms) => {
      elapsedMs += ms;
    },
  };
}
