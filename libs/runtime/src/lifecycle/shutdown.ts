import type { Logger } from '../log';

type Step = { name: string; stop: () => Promise<void> | void };

/** Records started components, so that they are stopped in reverse order. */
export class ShutdownStack {
  private readonly steps: Step[] = [];

  constructor(private readonly log: Logger) {}

  push(name: string, stop: () => Promise<void> | void): void {
    this.steps.push({ name, stop });
  }

  /** Stops all components, the last one first and each only once. A failure is logged and does not affect the others. */
  async unwind(): Promise<void> {
    for (let step = this.steps.pop(); step !== undefined; step = this.steps.pop()) {
      try {
        await step.stop();
      } catch (error) {
        this.log.error({ err: error, part: step.name }, 'part did not stop cleanly');
      }
    }
  }
}
