import type { Clock } from '@parley/runtime';

/** Call time in milliseconds, starting at 0. */
export interface CallClock {
  now(): number;
  /** Runs the callback in `ms`; the result cancels it. */
  after(ms: number, run: () => void): () => void;
  /**
   * Marks that work in real time is pending, such as a request to a server: until the returned function is called, call time runs in real time. No effect on a
   * real-time clock.
   */
  hold(): () => void;
}

/** Call time that follows the monotonic clock, optionally faster. */
export function realTimeClock(clock: Pick<Clock, 'monotonicMs'>, speed = 1): CallClock {
  const start = clock.monotonicMs();
  return {
    now: () => (clock.monotonicMs() - start) * speed,
    after(ms, run) {
      const timer = setTimeout(run, Math.max(0, ms) / speed);
      return () => clearTimeout(timer);
    },
    hold: () => () => undefined,
  };
}

interface Timer {
  readonly at: number;
  readonly nth: number;
  readonly run: () => void;
}

/**
 * Call time that jumps from one scheduled time to the next, so that a call of minutes takes milliseconds and has exact times. While work in real time is
 * pending, it follows real time.
 */
export class InstantClock implements CallClock {
  private time = 0;
  private readonly timers = new Set<Timer>();
  private counted = 0;
  private holds = 0;
  private heldSince = 0;
  private jump: NodeJS.Immediate | undefined;
  private waiting: NodeJS.Timeout | undefined;

  constructor(private readonly clock: Pick<Clock, 'monotonicMs'>) {}

  now(): number {
    return this.holds === 0 ? this.time : this.time + this.clock.monotonicMs() - this.heldSince;
  }

  after(ms: number, run: () => void): () => void {
    this.counted += 1;
    const timer = { at: this.now() + Math.max(0, ms), nth: this.counted, run };
    this.timers.add(timer);
    this.arm();
    return () => {
      if (this.timers.delete(timer)) this.arm();
    };
  }

  hold(): () => void {
    if (this.holds === 0) this.heldSince = this.clock.monotonicMs();
    this.holds += 1;
    this.arm();
    let released = false;
    return () => {
      if (released) return;
      released = true;
      if (this.holds === 1) this.time = this.now();
      this.holds -= 1;
      this.arm();
    };
  }

  private arm(): void {
    clearTimeout(this.waiting);
    this.waiting = undefined;
    const next = this.next();
    if (next === undefined || this.jump !== undefined) return;
    // Runs after all promises that can settle have settled: the consequences of one event come before the next event.
    if (this.holds === 0) this.jump = setImmediate(() => this.meet());
    else this.waiting = setTimeout(() => this.meet(), Math.max(0, next.at - this.now()));
  }

  private meet(): void {
    this.jump = undefined;
    const next = this.next();
    if (next !== undefined && (this.holds === 0 || next.at <= this.now())) {
      this.timers.delete(next);
      if (this.holds === 0) this.time = Math.max(this.time, next.at);
      next.run();
    }
    this.arm();
  }

  private next(): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.timers)
      if (next === undefined || timer.at < next.at || (timer.at === next.at && timer.nth < next.nth)) next = timer;
    return next;
  }
}
