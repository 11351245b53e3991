/** A heading, or the text between headings and empty lines. */
export interface Block {
  /** 1 to 6 for a heading; 0 for a paragraph. */
  readonly level: number;
  readonly text: string;
}

/** In words: a chunk ends at `most`; from `usual` on, the next paragraph starts a new chunk; a split chunk repeats the end of the previous one (`overlap`). */
export const chunkWords = { usual: 200, most: 400, overlap: 40 } as const;

const headingCharacters = 200;

/**
 * The pieces of a document that a question finds: about 200 to 400 words each, never over a heading, each below the headings that it stands under. One that
 * follows another under the same headings begins with the last 40 words of it, so that what is said across the cut is whole in one of them.
 */
export function chunksOf(blocks: readonly Block[]): string[] {
  const chunks: string[] = [];
  const trail: Block[] = [];
  let words: string[] = [];
  let parts: string[][] = [];
  let repeated = 0;

  const size = (): number => parts.reduce((sum, part) => sum + part.length, 0);
  const close = (goesOn: boolean): void => {
    if (size() > repeated) {
      const heading = trail.map(({ text }) => text).join(' > ');
      chunks.push([...(heading === '' ? [] : [heading]), ...parts.map((part) => part.join(' '))].join('\n'));
    }
    words = goesOn ? parts.flat().slice(-chunkWords.overlap) : [];
    repeated = words.length;
    parts = words.length === 0 ? [] : [words];
  };

  for (const { level, text } of blocks) {
    if (level > 0) {
      close(false);
      while ((trail.at(-1)?.level ?? 0) >= level) trail.pop();
      trail.push({ level, text: text.slice(0, headingCharacters) });
      continue;
    }
    let rest = wordsOf(text);
    if (size() - repeated >= chunkWords.usual || (size() > repeated && size() + rest.length > chunkWords.most))
      close(true);
    while (size() + rest.length > chunkWords.most) {
      const fits = chunkWords.most - size();
      parts.push(rest.slice(0, fits));
      rest = rest.slice(fits);
      close(true);
    }
    if (rest.length > 0) parts.push(rest);
  }
  close(false);
  return chunks;
}

/** Words between white space; very long ones, as in scripts without spaces, are split. */
const wordsOf = (text: string): string[] => text.match(/\S{1,80}/gu) ?? [];
