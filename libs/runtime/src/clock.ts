/** Time as an argument: `now` is the wall clock, `monotonicMs` never jumps and is only good for differences. */
export interface Clock {
  now(): Date;
  /** Milliseconds with a fraction, from an arbitrary origin. */
  monotonicMs(): number;
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
};
