/** Reads a clock in milliseconds and wakes later: `performance.now` and `setTimeout`, or what stands in for them in a test. */
export interface PacerClock {
  now(): number;
  wakeAfter(ms: number, wake: () => void): { cancel(): void };
}

export interface PacerOptions {
  readonly everyMs: number;
  /** Called with the time and with how many steps are taken together. */
  readonly step: (now: number, due: number) => void;
  /** Called for each step that became due, with how late it was taken. */
  readonly late: (ms: number) => void;
  readonly clock?: PacerClock;
}

/**
 * One absolute schedule: step n is due at start + n * `everyMs`, whatever happened to those before it, so that lateness never adds up. Steps
 * that were missed count with the lateness they would have had: a block of the event loop of 100 ms is five late steps of 20 ms, not one. They
 * are taken together, in one call that says how many they are.
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
    // Node's timers have whole milliseconds; rounding down would wake too early and then again.
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
    // Armed first: a step that throws ends no schedule.
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
