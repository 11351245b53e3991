import type { Logger } from '../log';

type Step = { name: string; stop: () => Promise<void> | void };

/** What was started, so that it can be stopped in the opposite order. */
export class ShutdownStack {
  private readonly steps: Step[] = [];

  constructor(private readonly log: Logger) {}

  push(name: string, stop: () => Promise<void> | void): void {
    this.steps.push({ name, stop });
  }

  /** Stops the last one first, each once; one that fails is logged and does not keep the others. */
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
