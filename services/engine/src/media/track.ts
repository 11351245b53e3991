/** What was taken of an utterance, and where on the line's clock it was put. */
interface Span {
  readonly utterance: string;
  /** The first sample's place in the utterance. */
  readonly from: number;
  /** The first sample's position on the line. */
  readonly at: number;
  readonly samples: Int16Array;
}

type Waiting = Omit<Span, 'at'>;

/** Utterances of which it is remembered how far they played. */
const mostRemembered = 64;

/**
 * Utterances in a row, as one of the tracks that a playout mixes. Remembers what it gave out until that has played, so that what was sent
 * and dropped again can be given out a second time, and so that it is known how much of each utterance was heard.
 */
export class Track {
  /** Samples that wait to be given out. */
  waiting = 0;
  private queue: Waiting[] = [];
  private sent: Span[] = [];
  private readonly lengths = new Map<string, number>();
  private readonly heard = new Map<string, number>();

  /** Whether something waits, or was given out and has not played by now. */
  get isBusy(): boolean {
    return this.waiting > 0 || this.sent.length > 0;
  }

  append(utterance: string, samples: Int16Array): void {
    if (samples.length === 0) return;
    const from = this.lengths.get(utterance) ?? 0;
    this.lengths.set(utterance, from + samples.length);
    if (!this.heard.has(utterance)) this.heard.set(utterance, 0);
    this.queue.push({ utterance, from, samples });
    this.waiting += samples.length;
    if (this.heard.size > mostRemembered) this.forgetOldest();
  }

  /** Adds the next samples to those of `mix`, which will play from this position on. */
  mixInto(mix: Int32Array, at: number): void {
    for (let place = 0; place < mix.length;) {
      const [first] = this.queue;
      if (first === undefined) return;
      const count = Math.min(first.samples.length, mix.length - place);
      const samples = first.samples.subarray(0, count);
      for (let n = 0; n < count; n += 1) mix[place + n] = (mix[place + n] as number) + (samples[n] as number);
      this.sent.push({ utterance: first.utterance, from: first.from, at: at + place, samples });
      if (count === first.samples.length) this.queue.shift();
      else
        this.queue[0] = {
          utterance: first.utterance,
          from: first.from + count,
          samples: first.samples.subarray(count),
        };
      this.waiting -= count;
      place += count;
    }
  }

  /** Everything before this position has played. Returns the utterances of which more was heard. */
  played(position: number): string[] {
    const changed = new Set<string>();
    for (let [first] = this.sent; first !== undefined && first.at < position; [first] = this.sent) {
      const count = Math.min(first.samples.length, position - first.at);
      this.heard.set(first.utterance, first.from + count);
      changed.add(first.utterance);
      if (count === first.samples.length) this.sent.shift();
      else
        this.sent[0] = {
          utterance: first.utterance,
          from: first.from + count,
          at: first.at + count,
          samples: first.samples.subarray(count),
        };
    }
    return [...changed];
  }

  /** What was given out and has not played was dropped by the line: it waits again, in front of all else. */
  takeBack(): void {
    for (const { samples } of this.sent) this.waiting += samples.length;
    this.queue = [...this.sent, ...this.queue];
    this.sent = [];
  }

  /** Drops what waits. More of an utterance that comes later keeps its place in it. */
  empty(): void {
    this.queue = [];
    this.waiting = 0;
  }

  /** Samples of an utterance that have played, from its beginning. */
  heardOf(utterance: string): number {
    return this.heard.get(utterance) ?? 0;
  }

  private forgetOldest(): void {
    const [oldest] = this.heard.keys();
    if (oldest === undefined || this.queue.some(({ utterance }) => utterance === oldest)) return;
    this.heard.delete(oldest);
    this.lengths.delete(oldest);
  }
}
