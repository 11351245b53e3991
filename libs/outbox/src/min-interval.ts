import { Signal } from './signal';

/**
 * Keeps the beginnings of a repeated piece of work apart, so that under load one round does what many would have done:
 * most of a round's cost is its round trips, whatever it carries.
 */
export class MinInterval {
  private readonly ended = new Signal();
  private begunAt = -Infinity;
  private stopping = false;

  /** @param intervalMs from one start to the next, in milliseconds; 0: no pause */
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
