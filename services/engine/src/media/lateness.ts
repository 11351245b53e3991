/** Steps of 20 ms in 10 s. */
const remembered = 500;

/** How late the steps of the last 10 s were. */
export class Lateness {
  private readonly steps = new Float64Array(remembered);
  private taken = 0;

  note(ms: number): void {
    this.steps[this.taken % remembered] = ms;
    this.taken += 1;
  }

  /** Of 100 steps 99 were no later, in ms. */
  p99(): number {
    const known = this.steps.slice(0, Math.min(this.taken, remembered)).sort();
    return known[Math.floor(0.99 * (known.length - 1))] ?? 0;
  }
}
