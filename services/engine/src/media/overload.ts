import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { BareLateness } from './bare-timer-thread';
import { Lateness } from './lateness';

/** The compiled thread, from the sources as from the build. */
const file = join(__dirname, '../../dist/media/bare-timer-thread.js');

/** Calls are heard well up to this. */
const mostLateMs = 15;

/**
 * Whether this process is too busy for more calls: the 99th percentile of the lateness of its steps in the last 10 s, less that of a bare timer in a thread of its
 * own. What makes every timer of the machine late does not become less by refusing calls here.
 */
export class Overload {
  /** How late a bare timer is, in ms. */
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
    // Without it the steps are judged as they are.
    this.thread.on('error', () => (this.bare = 0));
  }

  async stop(): Promise<void> {
    await this.thread?.terminate();
  }
}
