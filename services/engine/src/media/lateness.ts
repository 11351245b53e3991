/** The number of 20 ms steps in 10 s. */
const remembered = 500;

/** The lateness of the steps of the last 10 s. */
export class Lateness {
  private readonly steps = new Float64Array(remembered);
  private taken = 0;

  note(ms: number): void {
    this.steps[this.taken % remembered] = ms;
    this.taken += 1;
  }

  /** The 99th percentile in ms. */
  p99(): number {
    const known = this.steps.slice(0, Math.min(this.taken, remembered)).sort();
    return known[Math.floor(0.99 * (known.length - 1))] ?? 0;
  }
}
