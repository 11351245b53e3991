/** A clock in milliseconds with timers: `performance.now` and `setTimeout`, or a fake in tests. */
export interface PacerClock {
  now(): number;
  wakeAfter(ms: number, wake: () => void): { cancel(): void };
}

export interface PacerOptions {
  readonly everyMs: number;
  /** Called with the time and the number of due steps, which are run together. */
  readonly step: (now: number, due: number) => void;
  /** Called for each due step, with its lateness. */
  readonly late: (ms: number) => void;
  readonly clock?: PacerClock;
}

/**
 * A fixed schedule: step n is due at start + n * `everyMs`, whatever happened to earlier steps, so that lateness does not accumulate. Each missed step is
 * counted with its own lateness: an event loop that is blocked for 100 ms causes five late steps of 20 ms, not one. Missed steps are run in a single call, with
 * their number.
 */
export class Pacer {
  private pending: { cancel(): void } | undefined;
  private dueAt = 0;
  private readonly clock: PacerClock;

  constructor(private readonly options: PacerOptions) {
    this.clock = options.clock ?? processClock;
  }

  start(): void {
    this.stop();
    this.dueAt = this.clock.now() + this.options.everyMs;
    this.arm();
  }

  stop(): void {
    this.pending?.cancel();
    this.pending = undefined;
  }

  private arm(): void {
    // Node's timers have a resolution of one millisecond. Rounding down would wake too early, and then again.
    const ms = Math.max(1, Math.ceil(this.dueAt - this.clock.now()));
    this.pending = this.clock.wakeAfter(ms, () => this.wake());
  }

  private wake(): void {
    const now = this.clock.now();
    let due = 0;
    for (; this.dueAt <= now; this.dueAt += this.options.everyMs) {
      this.options.late(now - this.dueAt);
      due += 1;
    }
    // The next timer is set before the step, so that an exception in the step does not stop the schedule.
    this.arm();
    if (due > 0) this.options.step(now, due);
  }
}

const processClock: PacerClock = {
  now: () => performance.now(),
  wakeAfter(ms, wake) {
    const timer = setTimeout(wake, ms);
    return { cancel: () => clearTimeout(timer) };
  },
};
