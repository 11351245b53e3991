/** Time as a dependency. `now` is the wall clock. `monotonicMs` never jumps, and only differences between its values are meaningful. */
export interface Clock {
  now(): Date;
  /** Milliseconds with a fraction, since an arbitrary start. */
  monotonicMs(): number;
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
};
