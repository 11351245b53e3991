import type { SpokenWord } from '@parley/providers';

/** Estimated duration of one character of speech if a voice reports no word times. Slightly too short, because a repeated word is better than a lost one. */
const msPerCharacter = 60;

/**
 * The offset at which another voice continues: the first word that was not heard, or whose audio may be incomplete.
 * @param from the offset at which this voice's text begins
 * @param audioMs duration of its audio so far
 * @param words the words that it reported, with offsets within `text`
 */
export function resumeAt(text: string, from: number, audioMs: number, words: readonly SpokenWord[]): number {
  if (audioMs <= 0) return from;
  const heard = words.filter(({ endMs }) => endMs <= audioMs).at(-1);
  if (heard !== undefined) return wordAfter(text, heard.offset + heard.length);
  if (words.length > 0) return from;
  return wordAfter(text, Math.min(text.length, from + Math.floor(audioMs / msPerCharacter)));
}

/** The beginning of the next word. A word that was partly spoken counts as heard. */
function wordAfter(text: string, at: number): number {
  if (at === 0 || /\s/u.test(text.charAt(at - 1))) return at;
  const rest = /^\S*\s*/u.exec(text.slice(at))?.[0] ?? '';
  return at + rest.length;
}
