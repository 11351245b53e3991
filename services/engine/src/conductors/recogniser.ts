import { Pocketsphinx } from '@parley/speech';

/** Words that do not come within this time were none. */
const wordsMs = 8_000;

interface Asked {
  readonly samples: Int16Array;
  readonly resolve: (text: string) => void;
}

/** The words of one call's utterances, in order. A process that gave no words is replaced: what it says late belongs to no utterance. */
export class Recogniser {
  private process: Pocketsphinx | undefined;
  private asked: Asked | undefined;
  private readonly waiting: Asked[] = [];
  private deadline: NodeJS.Timeout | undefined;
  private closed = false;

  /** Empty for an utterance without words. */
  words(samples: Int16Array): Promise<string> {
    return new Promise((resolve) => {
      this.waiting.push({ samples, resolve });
      this.next();
    });
  }

  close(): void {
    this.closed = true;
    this.process?.close();
    this.answer('');
    for (const { resolve } of this.waiting.splice(0)) resolve('');
  }

  private next(): void {
    if (this.asked !== undefined || this.closed) return;
    this.asked = this.waiting.shift();
    if (this.asked === undefined) return;
    const process = (this.process ??= this.started());
    process.hear(this.asked.samples);
    process.finishUtterance();
    this.deadline = setTimeout(() => this.drop(process), wordsMs);
  }

  private started(): Pocketsphinx {
    const process: Pocketsphinx = new Pocketsphinx({
      onFinal: (text) => {
        if (this.process === process) this.answer(text);
      },
      onEnd: () => {
        if (this.process === process) this.drop(process);
      },
    });
    return process;
  }

  private drop(process: Pocketsphinx): void {
    process.close();
    if (this.process === process) this.process = undefined;
    this.answer('');
  }

  private answer(text: string): void {
    clearTimeout(this.deadline);
    const { asked } = this;
    this.asked = undefined;
    asked?.resolve(text);
    this.next();
  }
}
