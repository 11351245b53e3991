import { Signal } from './signal';

/**
 * Enforces a minimum interval between the starts of a repeated piece of work, so that under load one round does the work of many. Most of the cost of a round
 * is its round trips, independent of the amount of work.
 */
export class MinInterval {
  private readonly ended = new Signal();
  private begunAt = -Infinity;
  private stopping = false;

  /** @param intervalMs milliseconds from one start to the next; 0: no pause */
  constructor(private readonly intervalMs: number) {}

  begin(): void {
    this.begunAt = performance.now();
  }

  /** Resolves when the work may start again: at once if the last start was long enough ago. */
  async rest(): Promise<void> {
    const remaining = this.begunAt + this.intervalMs - performance.now();
    if (remaining > 0 && !this.stopping) await this.ended.wait(remaining);
  }

  /** Ends all current and future pauses. */
  stop(): void {
    this.stopping = true;
    this.ended.signal();
  }
}
