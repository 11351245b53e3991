import { Resampler } from '@parley/speech';
import type { SampleRate } from '../lines/line';
import { muLawSamples } from '../media/mu-law';
import type { Playout } from '../media/playout';

/** Marks that wait for their sound. */
const mostMarks = 1_000;
const serverRate = 8_000;

export interface AudioPlaybackOptions {
  readonly sampleRate: SampleRate;
  readonly playout: Pick<Playout, 'say' | 'stop' | 'heardOf'>;
  readonly now: () => number;
  readonly onMark: (name: string) => void;
}

/** What the customer's server has the line play, and which of its marks that has reached. */
export class AudioPlayback {
  private utterance = 1;
  private appended = 0;
  private readonly marks: { readonly name: string; readonly at: number }[] = [];
  private resampler: Resampler;

  constructor(private readonly options: AudioPlaybackOptions) {
    this.resampler = new Resampler(serverRate, options.sampleRate);
  }

  /** Returns false, and plays none of it, where two minutes of sound wait already. */
  play(muLaw: Buffer): boolean {
    const samples = this.resampler.resample(muLawSamples(muLaw));
    if (!this.options.playout.say(String(this.utterance), samples, this.options.now())) return false;
    this.appended += samples.length;
    return true;
  }

  /** Returns false where too many wait. */
  mark(name: string): boolean {
    if (this.marks.length >= mostMarks) return false;
    this.marks.push({ name, at: this.appended });
    this.heard(String(this.utterance), this.options.playout.heardOf(String(this.utterance)));
    return true;
  }

  clear(): void {
    this.options.playout.stop(this.options.now());
    this.forget((name) => this.options.onMark(name));
  }

  /** The connection that sent it is lost: what waits is not said any more. */
  lost(): void {
    this.options.playout.stop(this.options.now());
    this.forget(() => undefined);
  }

  heard(utterance: string, samples: number): void {
    if (utterance !== String(this.utterance)) return;
    while (this.marks[0] !== undefined && this.marks[0].at <= samples)
      this.options.onMark((this.marks.shift() as { name: string }).name);
  }

  private forget(each: (name: string) => void): void {
    this.utterance += 1;
    this.appended = 0;
    this.resampler = new Resampler(serverRate, this.options.sampleRate);
    for (const { name } of this.marks.splice(0)) each(name);
  }
}
