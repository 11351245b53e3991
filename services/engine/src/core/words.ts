const bare = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}'-]/gu, '');

/** Words that count: those that are no fillers. */
export const wordsOf = (text: string, fillers: readonly string[] = []): number =>
  text.split(/\s+/u).filter((word) => word !== '' && bare(word) !== '' && !fillers.includes(bare(word))).length;

/** The words alone: two transcripts that differ in case and punctuation say the same. */
export const comparable = (text: string): string =>
  text
    .split(/\s+/u)
    .map(bare)
    .filter((word) => word !== '')
    .join(' ');

/** The part of a text that was played, without a word that was begun and not ended. */
export function playedPart(text: string, offset: number): number {
  if (offset >= text.length) return text.length;
  const cutsWord = offset > 0 && /\S/u.test(text.charAt(offset)) && /\S/u.test(text.charAt(offset - 1));
  return cutsWord ? text.slice(0, offset).search(/\S+$/u) : Math.max(0, offset);
}
