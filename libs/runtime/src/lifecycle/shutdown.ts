import type { Logger } from '../log';

type Step = { name: string; stop: () => Promise<void> | void };

/** Started components, so that they can be stopped in reverse order. */
export class ShutdownStack {
  private readonly steps: Step[] = [];

  constructor(private readonly log: Logger) {}

  push(name: string, stop: () => Promise<void> | void): void {
    this.steps.push({ name, stop });
  }

  /** Stops the last one first, each once; a failure is logged and does not affect the others. */
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
