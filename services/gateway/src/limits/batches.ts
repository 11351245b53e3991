/** Measures of a `Batches`. */
export interface BatchLimits {
  /** Batches that are asked at once. */
  readonly width: number;
  /** Questions of one batch at most. */
  readonly size: number;
  /** Questions that wait for their batch at most. */
  readonly capacity: number;
}

interface Waiting<Q, A> {
  readonly question: Q;
  readonly answer: (answer: A) => void;
  readonly fail: (error: unknown) => void;
}

/** Asks many questions together: whoever comes while the batches are under way waits, in order, for the next one. */
export class Batches<Q, A> {
  private running = 0;
  private readonly waiting: Waiting<Q, A>[] = [];

  /** @param ask answers a batch in its order; what it throws is thrown to each who asked in it */
  constructor(
    private readonly ask: (questions: readonly Q[]) => Promise<readonly A[]>,
    private readonly limits: BatchLimits,
  ) {}

  /** @param refusal thrown where too many wait */
  run(question: Q, refusal: () => Error): Promise<A> {
    const { width, capacity } = this.limits;
    if (this.running >= width && this.waiting.length >= capacity) return Promise.reject(refusal());
    return new Promise<A>((answer, fail) => {
      this.waiting.push({ question, answer, fail });
      if (this.running < width) this.work().catch(fail);
    });
  }

  /** Each who waits is told; itself it never rejects. */
  private async work(): Promise<void> {
    this.running += 1;
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, this.limits.size);
      try {
        const answers = await this.ask(batch.map(({ question }) => question));
        batch.forEach(({ answer }, index) => answer(answers[index] as A));
      } catch (error) {
        batch.forEach(({ fail }) => fail(error));
      }
    }
    this.running -= 1;
  }
}
