/** Time as a dependency: `now` is the wall clock, `monotonicMs` never jumps and is only meaningful for differences. */
export interface Clock {
  now(): Date;
  /** Milliseconds with a fraction, from an arbitrary origin. */
  monotonicMs(): number;
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
};
