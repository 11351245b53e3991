import type { CallClock } from '../src/carriers/carrier';

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** Call time that passes only when told: no test waits for a call. */
export class VirtualClock implements CallClock {
  private time = 0;
  private readonly timers = new Set<Timer>();

  now(): number {
    return this.time;
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.time + Math.max(0, ms), run };
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  }

  /** Runs timer after timer, with everything that follows from one before the next, until `done` or until nothing is left. */
  async runUntil(done: () => boolean): Promise<void> {
    await settled();
    while (!done()) {
      const [next] = [...this.timers].sort((left, right) => left.at - right.at);
      if (next === undefined) throw new Error(`nothing is left to happen at ${this.time}`);
      this.timers.delete(next);
      this.time = next.at;
      next.run();
      await settled();
    }
  }

  get pending(): number {
    return this.timers.size;
  }
}

/** Lets every promise that can settle do so. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
