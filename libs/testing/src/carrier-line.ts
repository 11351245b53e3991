interface Queued {
  /** The time at which its first sample is played, in ms. */
  readonly at: number;
  readonly audio?: Int16Array;
  readonly mark?: string;
}

/** The recording grows in steps of this many seconds. */
const growsBySeconds = 60;

/**
 * The far end of a line, with the behavior of a carrier. It owns the playout clock: it plays audio in order, starting when the audio arrives, returns a mark
 * when everything before it has been played, and drops the queue on a clear. It records what was played as one waveform, in which a sample's position is its
 * time.
 */
export class CarrierLine {
  /** For each arrival of audio: how much was still queued, in ms, that is, how far ahead the other side was. */
  readonly leadMs: number[] = [];
  /** The durations without audio between two pieces of which nothing was dropped, in ms. */
  readonly gapMs: number[] = [];
  private readonly rate: number;
  private readonly startedAt: number;
  private readonly onMark: (name: string) => void;
  private waveform: Int16Array;
  private length = 0;
  private queue: Queued[] = [];
  private endsAt: number | undefined;
  private wasCleared = false;

  constructor(rate: number, startedAt: number, onMark: (name: string) => void) {
    this.rate = rate;
    this.startedAt = startedAt;
    this.onMark = onMark;
    this.waveform = new Int16Array(growsBySeconds * rate);
  }

  /** What has been played up to the last `play`. */
  get heard(): Int16Array {
    return this.waveform.subarray(0, this.length);
  }

  receive(audio: Int16Array, now: number): void {
    const { endsAt } = this;
    if (endsAt !== undefined && !this.wasCleared) {
      if (now > endsAt) this.gapMs.push(now - endsAt);
      else this.leadMs.push(endsAt - now);
    }
    this.wasCleared = false;
    const at = Math.max(now, endsAt ?? now);
    this.queue.push({ at, audio });
    this.endsAt = at + (audio.length * 1000) / this.rate;
  }

  mark(name: string, now: number): void {
    this.queue.push({ at: Math.max(now, this.endsAt ?? now), mark: name });
  }

  /** Drops everything that has not been played; its marks are returned at once. */
  clear(now: number): void {
    this.play(now);
    const dropped = this.queue;
    this.queue = [];
    for (const { at, audio, mark } of dropped) {
      if (mark !== undefined) this.onMark(mark);
      else if (audio !== undefined && at < now)
        this.write(audio.subarray(0, Math.ceil(((now - at) * this.rate) / 1000)), at);
    }
    if (this.endsAt !== undefined && this.endsAt > now) this.endsAt = now;
    this.wasCleared = true;
  }

  /** Plays what is due until now. */
  play(now: number): void {
    for (let [next] = this.queue; next !== undefined; [next] = this.queue) {
      const { at, audio, mark } = next;
      if (at + ((audio?.length ?? 0) * 1000) / this.rate > now) break;
      this.queue.shift();
      if (mark !== undefined) this.onMark(mark);
      if (audio !== undefined) this.write(audio, at);
    }
  }

  private write(audio: Int16Array, at: number): void {
    const place = Math.max(this.length, Math.round(((at - this.startedAt) * this.rate) / 1000));
    while (place + audio.length > this.waveform.length) {
      const longer = new Int16Array(this.waveform.length + growsBySeconds * this.rate);
      longer.set(this.waveform);
      this.waveform = longer;
    }
    this.waveform.set(audio, place);
    this.length = place + audio.length;
  }
}
