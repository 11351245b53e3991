import type { SpokenWord } from '@parley/providers';

/** Of one character of speech, where a voice does not report its words. A little short: a repeated word is worse than a lost one. */
const msPerCharacter = 60;

/**
 * Where another voice goes on: the offset of the first word that was not heard, or whose sound is not known to be whole.
 * @param from where the text of this voice began
 * @param audioMs of sound that it gave
 * @param words that it reported, with offsets within `text`
 */
export function resumeAt(text: string, from: number, audioMs: number, words: readonly SpokenWord[]): number {
  if (audioMs <= 0) return from;
  const heard = words.filter(({ endMs }) => endMs <= audioMs).at(-1);
  if (heard !== undefined) return wordAfter(text, heard.offset + heard.length);
  if (words.length > 0) return from;
  return wordAfter(text, Math.min(text.length, from + Math.floor(audioMs / msPerCharacter)));
}

/** The beginning of the next word; a word that is cut in two counts as heard. */
function wordAfter(text: string, at: number): number {
  if (at === 0 || /\s/u.test(text.charAt(at - 1))) return at;
  const rest = /^\S*\s*/u.exec(text.slice(at))?.[0] ?? '';
  return at + rest.length;
}
