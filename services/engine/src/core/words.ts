import type { CallState } from './state';

const bare = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}'-]/gu, '');

/** The number of words, without filler words. */
export const wordsOf = (text: string, fillers: readonly string[] = []): number =>
  text.split(/\s+/u).filter((word) => word !== '' && bare(word) !== '' && !fillers.includes(bare(word))).length;

/** The words only, normalized, so that transcripts which differ only in case and punctuation are equal. */
export const comparable = (text: string): string =>
  text
    .split(/\s+/u)
    .map(bare)
    .filter((word) => word !== '')
    .join(' ');

/** Whether a text can be said: a voice needs letters or digits, and a line without sound any character. */
export const isSayable = ({ watermarks }: Pick<CallState, 'watermarks'>, text: string): boolean =>
  watermarks.received === null ? text.trim() !== '' : /[\p{L}\p{N}]/u.test(text);

/** The length of the played part of a text, without a word that was only partly played. */
export function playedPart(text: string, offset: number): number {
  if (offset >= text.length) return text.length;
  const cutsWord = offset > 0 && /\S/u.test(text.charAt(offset)) && /\S/u.test(text.charAt(offset - 1));
  return cutsWord ? text.slice(0, offset).search(/\S+$/u) : Math.max(0, offset);
}

/** The text of a turn that was recognized in segments. */
export const textOf = ({ segments }: { readonly segments: readonly { readonly text: string }[] }): string =>
  segments
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join(' ');

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** The number of words, also in scripts that put no space between them. */
export const spokenWords = (text: string): number =>
  [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).length;
