import type { Clock } from '@parley/runtime';
import type { CallClock } from './carrier';

/** Call time on top of the monotonic clock, `speed` times as fast, from 0. */
export function callClock(clock: Clock, speed: number): CallClock {
  const start = clock.monotonicMs();
  return {
    now: () => (clock.monotonicMs() - start) * speed,
    after(ms, run) {
      const timer = setTimeout(run, Math.max(0, ms) / speed);
      return () => clearTimeout(timer);
    },
  };
}
