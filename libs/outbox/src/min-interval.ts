import { Signal } from './signal';

/**
 * Keeps the beginnings of a repeated piece of work apart, so that under load one round does what many would have done:
 * most of a round's cost is its round trips, whatever it carries.
 */
export class MinInterval {
  private readonly ended = new Signal();
  private begunAt = -Infinity;
  private stopping = false;

  /** @param intervalMs from one beginning to the next, in milliseconds; 0: no pause at all */
  constructor(private readonly intervalMs: number) {}

  begin(): void {
    this.begunAt = performance.now();
  }

  /** Resolves when the work may begin again: at once when it last began long enough ago. */
  async rest(): Promise<void> {
    const remaining = this.begunAt + this.intervalMs - performance.now();
    if (remaining > 0 && !this.stopping) await this.ended.wait(remaining);
  }

  /** No one rests any more. */
  stop(): void {
    this.stopping = true;
    this.ended.signal();
  }
}
