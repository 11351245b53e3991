/** A heading, or a paragraph of text. */
export interface Block {
  /** 1 to 6 for a heading; 0 for a paragraph. */
  readonly level: number;
  readonly text: string;
}

/**
 * The size of chunks in words. A chunk has at most `most`; if it has `usual` or more, the next paragraph starts a new one. A chunk that continues under the
 * same headings repeats the last `overlap` words of the previous one.
 */
export const chunkWords = { usual: 200, most: 400, overlap: 40 } as const;

const headingCharacters = 200;

/**
 * Divides a document into the chunks that a search returns: about 200 to 400 words each, never across a heading, and each preceded by the headings above it. A
 * chunk that continues the previous one under the same headings begins with its last 40 words, so that a sentence at the boundary is complete in one of them.
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

/** Words are separated by white space. Very long ones, as in scripts without spaces, are divided. */
const wordsOf = (text: string): string[] => text.match(/\S{1,80}/gu) ?? [];
