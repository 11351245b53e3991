import { Figures } from './percentiles.mts';

/**
 * One absolute schedule: step n is due at start + n * `everyMs`, whatever happened to those before it, so that lateness never
 * adds up. Steps that were missed altogether count with the lateness they would have had: a block of the event loop of 100 ms is
 * five late steps, not one. They are taken together, in one call that says how many they are.
 */
export class Pacer {
  /** Milliseconds, of every step that became due. */
  readonly lateness = new Figures();
  private readonly everyMs: number;
  private readonly step: (now: number, due: number) => void;
  private timer: NodeJS.Timeout | undefined;
  private dueAt = 0;

  constructor(everyMs: number, step: (now: number, due: number) => void) {
    this.everyMs = everyMs;
    this.step = step;
  }

  start(): void {
    this.dueAt = performance.now() + this.everyMs;
    this.arm();
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private arm(): void {
    // Node's timers have whole milliseconds; rounding down would wake too early and then again.
    this.timer = setTimeout(() => this.wake(), Math.max(1, Math.ceil(this.dueAt - performance.now())));
  }

  private wake(): void {
    const now = performance.now();
    let due = 0;
    for (; this.dueAt <= now; this.dueAt += this.everyMs) {
      this.lateness.add(now - this.dueAt);
      due += 1;
    }
    if (due > 0) this.step(now, due);
    this.arm();
  }
}
