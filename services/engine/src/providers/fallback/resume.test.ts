import type { SpokenWord } from '@parley/providers';
import { resumeAt } from './resume';

const text = 'Good day. How may I help you?';
const word = (offset: number, length: number, startMs: number, endMs: number): SpokenWord => ({
  offset,
  length,
  startMs,
  endMs,
});
const reported = [word(0, 4, 0, 300), word(5, 4, 300, 700), word(10, 3, 700, 900)];

it.each([
  ['no sound came', 0, 0, reported, text],
  ['two words were heard', 0, 700, reported, 'How may I help you?'],
  ['the third was heard in part', 0, 899, reported, 'How may I help you?'],
  ['three words were heard', 0, 900, reported, 'may I help you?'],
  ['no word was heard to its end', 0, 299, reported, text],
  ['no words are reported: by the time', 0, 600, [], 'How may I help you?'],
  ['this voice began later', 10, 240, [], 'may I help you?'],
  ['a word was cut in two', 10, 300, [], 'I help you?'],
  ['everything was heard', 0, 60_000, [], ''],
])('goes on where %s', (_, from, ms, words, rest) => expect(text.slice(resumeAt(text, from, ms, words))).toBe(rest));
