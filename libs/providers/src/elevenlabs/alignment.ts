import { WordFinder } from '../spoken-words';
import type { SpokenWord } from '../synthesizer';

interface Word {
  text: string;
  startMs: number;
  endMs: number;
}

/** Words from the times of characters. Those are counted from the beginning of the sound that they come with. */
export class Alignment {
  private readonly finder = new WordFinder();
  private samples = 0;
  /** A word may go on in the next message. */
  private word: Word | undefined;

  constructor(private readonly sampleRate: number) {}

  write(text: string): void {
    this.finder.write(text);
  }

  /** @param alignment of one message, with `samples` samples of sound */
  read(alignment: unknown, samples: number): SpokenWord[] {
    const from = (this.samples * 1000) / this.sampleRate;
    this.samples += samples;
    const { chars, charStartTimesMs, charDurationsMs } = (alignment ?? {}) as Record<string, unknown>;
    if (!Array.isArray(chars) || !Array.isArray(charStartTimesMs)) return [];
    const durations: unknown[] = Array.isArray(charDurationsMs) ? charDurationsMs : [];
    const found: SpokenWord[] = [];
    chars.forEach((char: unknown, n) => {
      const start: unknown = charStartTimesMs[n];
      if (typeof char !== 'string' || typeof start !== 'number') return;
      const duration = durations[n];
      if (/^\s*$/u.test(char)) return this.finish(found);
      this.word ??= { text: '', startMs: from + start, endMs: from + start };
      this.word.text += char;
      this.word.endMs = from + start + (typeof duration === 'number' ? duration : 0);
    });
    return found;
  }

  /** The word that the end of the stream completes. */
  end(): SpokenWord[] {
    const found: SpokenWord[] = [];
    this.finish(found);
    return found;
  }

  private finish(found: SpokenWord[]): void {
    if (this.word === undefined) return;
    const word = this.finder.find(this.word.text, this.word.startMs, this.word.endMs);
    if (word !== undefined) found.push(word);
    this.word = undefined;
  }
}
