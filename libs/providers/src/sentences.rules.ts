/**
 * Matches the end of a sentence: a punctuation mark followed by white space, or a line break. Marks within numbers and names are not followed by white space.
 */
const sentenceEnd = /[.!?…][)"'”’]*\s+|[。！？]+|\n+/u;

/** A shorter piece is joined with the next one, because abbreviations and single words are poor requests. */
const shortestSentence = 12;

/** Splits text that arrives in pieces into sentences, without losing characters. */
export class SentenceCutter {
  private rest = '';

  /** Adds text and returns the sentences that are complete now. */
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

  /** The remaining text; undefined if there is nothing to speak. */
  end(): string | undefined {
    const { rest } = this;
    this.rest = '';
    return rest.trim() === '' ? undefined : rest;
  }
}
