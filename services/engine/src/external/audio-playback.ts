import { Resampler } from '@parley/speech';
import type { SampleRate } from '../lines/line';
import { muLawSamples } from '../media/mu-law';
import { frameMs, type Playout } from '../media/playout';

/** Maximum number of marks whose audio has not been played. */
const mostMarks = 1_000;
const serverRate = 8_000;
/**
 * Jitter buffer before audio starts to play on a silent line: a server that sends in real time sends each chunk when it is due, or slightly late. Audio that
 * arrives faster is not delayed.
 */
const leadMs = 60;

export interface AudioPlaybackOptions {
  readonly sampleRate: SampleRate;
  readonly playout: Pick<Playout, 'say' | 'stop' | 'heardOf' | 'isSpeaking'>;
  readonly now: () => number;
  readonly onMark: (name: string) => void;
  /** Called if the buffer is full; the whole last message was dropped. */
  readonly onOverflow: (what: string) => void;
}

/** Plays the audio of the customer's server on the line, and returns its marks as they are reached. */
export class AudioPlayback {
  private utterance = 1;
  private taken = 0;
  private marks: { readonly name: string; readonly at: number }[] = [];
  private resampler: Resampler;
  private pending = new Int16Array(0);
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: AudioPlaybackOptions) {
    this.resampler = new Resampler(serverRate, options.sampleRate);
  }

  play(muLaw: Buffer): void {
    const samples = this.resampler.resample(muLawSamples(muLaw));
    const together = new Int16Array(this.pending.length + samples.length);
    together.set(this.pending);
    together.set(samples, this.pending.length);
    this.pending = together;
    this.taken += samples.length;
    const perMs = this.options.sampleRate / 1000;
    const isPlaying = this.options.playout.isSpeaking(this.options.now());
    // The line plays complete frames: an incomplete one waits for the next chunk, or until that is overdue.
    if (isPlaying || together.length >= leadMs * perMs)
      this.say(together.length - (together.length % (frameMs * perMs)));
    clearTimeout(this.timer);
    if (this.pending.length > 0) this.timer = setTimeout(() => this.say(this.pending.length), leadMs);
  }

  mark(name: string): void {
    if (this.marks.length >= mostMarks) return this.options.onOverflow('more than 1,000 marks were waiting');
    this.marks.push({ name, at: this.taken });
    this.heard(String(this.utterance), this.options.playout.heardOf(String(this.utterance)));
  }

  clear(): void {
    const names = this.marks.map(({ name }) => name);
    this.drop();
    for (const name of names) this.options.onMark(name);
  }

  /** Drops the buffered audio; its marks are not returned. */
  drop(): void {
    clearTimeout(this.timer);
    this.options.playout.stop(this.options.now());
    this.utterance += 1;
    this.taken = 0;
    this.marks = [];
    this.pending = new Int16Array(0);
    this.resampler = new Resampler(serverRate, this.options.sampleRate);
  }

  heard(utterance: string, samples: number): void {
    if (utterance !== String(this.utterance)) return;
    for (let [first] = this.marks; first !== undefined && first.at <= samples; [first] = this.marks) {
      this.marks.shift();
      this.options.onMark(first.name);
    }
  }

  private say(count: number): void {
    if (count === 0) return;
    const samples = this.pending.subarray(0, count);
    this.pending = this.pending.slice(count);
    if (!this.options.playout.say(String(this.utterance), samples, this.options.now()))
      this.options.onOverflow('more than two minutes of audio were waiting');
  }
}
