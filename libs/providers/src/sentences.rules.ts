/** After a mark that ends a sentence and the space behind it, or a line break. Marks within numbers and names have no space behind them. */
const sentenceEnd = /[.!?…][)"'”’]*\s+|[。！？]+|\n+/u;

/** Below this a piece is joined with the next one: abbreviations and single words make poor requests. */
const shortestSentence = 12;

/** Cuts text that arrives in pieces into sentences, without losing a character. */
export class SentenceCutter {
  private rest = '';

  /** The sentences that are complete by now. */
  write(text: string): string[] {
    this.rest += text;
    const sentences: string[] = [];
    for (let from = 0; ;) {
      const found = sentenceEnd.exec(this.rest.slice(from));
      if (found === null) return sentences;
      const end = from + found.index + found[0].length;
      if (end < shortestSentence) {
        from = end;
        continue;
      }
      sentences.push(this.rest.slice(0, end));
      this.rest = this.rest.slice(end);
      from = 0;
    }
  }

  /** What is left; undefined where that is nothing to say. */
  end(): string | undefined {
    const { rest } = this;
    this.rest = '';
    return rest.trim() === '' ? undefined : rest;
  }
}
