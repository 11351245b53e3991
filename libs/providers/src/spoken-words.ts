import type { SpokenWord } from './synthesizer';

/** Finds reported words in the written text, in order. Words that are not in the text, for example because of normalization, are skipped. */
export class WordFinder {
  private text = '';
  private from = 0;

  write(text: string): void {
    this.text += text;
  }

  /** @param startMs the start within the stream's audio */
  find(word: string, startMs: number, endMs: number): SpokenWord | undefined {
    const wanted = word.trim();
    if (wanted === '') return undefined;
    const offset = this.text.indexOf(wanted, this.from);
    if (offset < 0) return undefined;
    this.from = offset + wanted.length;
    return { offset, length: wanted.length, startMs: Math.round(startMs), endMs: Math.round(Math.max(startMs, endMs)) };
  }
}
