import { WordFinder } from '../spoken-words';
import type { SpokenWord } from '../synthesizer';

interface Word {
  text: string;
  startMs: number;
  endMs: number;
}

/** Derives the times of words from the times of characters, which are relative to the beginning of the audio in the same message. */
export class Alignment {
  private readonly finder = new WordFinder();
  private samples = 0;
  /** The last word, which may continue in the next message. */
  private word: Word | undefined;

  constructor(private readonly sampleRate: number) {}

  write(text: string): void {
    this.finder.write(text);
  }

  /** @param alignment the alignment of one message that contains `samples` samples of audio */
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

  /** Returns the last word, which is complete when the stream ends. */
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
