import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { BareLateness } from './bare-timer-thread';
import { Lateness } from './lateness';

/** The compiled thread, also if this file runs from its source. */
const file = join(__dirname, '../../dist/media/bare-timer-thread.js');

/** The lateness up to which calls keep their audio quality. */
const mostLateMs = 15;

/**
 * Whether this process is overloaded and should take no more calls. Measured as the 99th percentile of the lateness of its steps in the last 10 s, minus that
 * of a bare timer in a separate thread: refusing calls does not help against lateness that affects every timer of the machine.
 */
export class Overload {
  /** The lateness of a bare timer, in ms. */
  bare = 0;
  onMeasured: ((ms: number) => void) | undefined;
  private readonly steps = new Lateness();
  private thread: Worker | undefined;

  constructor(private readonly options: { readonly live: () => number }) {}

  note(ms: number): void {
    this.steps.note(ms);
  }

  readonly isLate = (): boolean => this.options.live() > 0 && this.steps.p99() - this.bare >= mostLateMs;

  start(): void {
    this.thread = new Worker(file);
    this.thread.unref();
    this.thread.on('message', ({ lateMs }: BareLateness) => {
      this.bare = lateMs;
      this.onMeasured?.(lateMs);
    });
    // Without the thread, the lateness of the steps is used unchanged.
    this.thread.on('error', () => (this.bare = 0));
  }

  async stop(): Promise<void> {
    await this.thread?.terminate();
  }
}
