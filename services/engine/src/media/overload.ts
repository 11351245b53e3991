import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { BareLateness } from './bare-timer-thread';
import { Lateness } from './lateness';

/** The compiled thread, whether run from sources or from the build. */
const file = join(__dirname, '../../dist/media/bare-timer-thread.js');

/** The lateness up to which calls keep their audio quality. */
const mostLateMs = 15;

/**
 * Whether this process is overloaded and must not take more calls: the 99th percentile of its step lateness in the last 10 s, minus that of a bare timer in a
 * separate thread. Lateness that affects every timer of the machine is not reduced by refusing calls here.
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
    // Without it the step lateness is used as it is.
    this.thread.on('error', () => (this.bare = 0));
  }

  async stop(): Promise<void> {
    await this.thread?.terminate();
  }
}
