import type { SpokenWord } from '@parley/providers';

/** Duration of one character of speech, if a voice does not report word times. Slightly short: a repeated word is better than a lost one. */
const msPerCharacter = 60;

/**
 * Where another voice continues: the offset of the first word that was not heard, or whose audio may be incomplete.
 * @param from the offset of this voice's text
 * @param audioMs its audio so far
 * @param words its reported words, with offsets within `text`
 */
export function resumeAt(text: string, from: number, audioMs: number, words: readonly SpokenWord[]): number {
  if (audioMs <= 0) return from;
  const heard = words.filter(({ endMs }) => endMs <= audioMs).at(-1);
  if (heard !== undefined) return wordAfter(text, heard.offset + heard.length);
  if (words.length > 0) return from;
  return wordAfter(text, Math.min(text.length, from + Math.floor(audioMs / msPerCharacter)));
}

/** The beginning of the next word; a partly spoken word counts as heard. */
function wordAfter(text: string, at: number): number {
  if (at === 0 || /\s/u.test(text.charAt(at - 1))) return at;
  const rest = /^\S*\s*/u.exec(text.slice(at))?.[0] ?? '';
  return at + rest.length;
}
