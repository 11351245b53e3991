/** A chunk of an utterance, and its position on the line's clock. */
interface Span {
  readonly utterance: string;
  /** The offset of the first sample in the utterance. */
  readonly from: number;
  /** The first sample's position on the line. */
  readonly at: number;
  readonly samples: Int16Array;
}

type Waiting = Omit<Span, 'at'>;

const none: readonly string[] = [];

/** Maximum number of utterances whose played length is stored. */
const mostRemembered = 64;

/**
 * A queue of utterances: one of the tracks that a playout mixes. Sent audio is kept until it was played, so that audio that the line dropped can be sent again,
 * and to know how much of each utterance was heard.
 */
export class Track {
  /** The number of samples that were not sent yet. */
  waiting = 0;
  private queue: Waiting[] = [];
  private sent: Span[] = [];
  private readonly lengths = new Map<string, number>();
  private readonly heard = new Map<string, number>();

  /** Whether audio is queued, or was sent and has not been played. */
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

  /** Adds the next samples to `mix`, which will be played from position `at` on. */
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

  /** Everything before this position was played. @returns the utterances of which more was played */
  played(position: number): readonly string[] {
    const [oldest] = this.sent;
    if (oldest === undefined || oldest.at >= position) return none;
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

  /** The line has dropped audio that was sent but not played: queues it again, before everything else. */
  takeBack(): void {
    for (const { samples } of this.sent) this.waiting += samples.length;
    this.queue = [...this.sent, ...this.queue];
    this.sent = [];
  }

  /** Drops the queue. Later audio of the same utterance keeps its offset. */
  empty(): void {
    this.queue = [];
    this.waiting = 0;
  }

  /** The number of samples of an utterance that were played, from its beginning. */
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
