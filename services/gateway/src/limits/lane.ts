/** Lets few pieces of work run at a time; who comes later waits in order, and too many who wait are refused. */
export class Lane {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly width: number,
    private readonly capacity: number,
  ) {}

  /** @param refusal thrown where the lane is full */
  async run<T>(work: () => Promise<T>, refusal: () => Error): Promise<T> {
    if (this.running < this.width) this.running += 1;
    else if (this.waiting.length >= this.capacity) throw refusal();
    // Whoever leaves hands its place on, so that nobody overtakes.
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.running -= 1;
      else next();
    }
  }
}
