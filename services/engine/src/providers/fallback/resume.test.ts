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
  ['no audio was played', 0, 0, reported, text],
  ['two words were played', 0, 700, reported, 'How may I help you?'],
  ['the third word was played partly', 0, 899, reported, 'How may I help you?'],
  ['three words were played', 0, 900, reported, 'may I help you?'],
  ['no word was played completely', 0, 299, reported, text],
  ['no word times are known: estimated from the duration', 0, 600, [], 'How may I help you?'],
  ['this voice began later in the text', 10, 240, [], 'may I help you?'],
  ['the voice began within a word', 10, 300, [], 'I help you?'],
  ['everything was played', 0, 60_000, [], ''],
])('the fallback voice continues at the right word if %s', (_, from, ms, words, rest) =>
  expect(text.slice(resumeAt(text, from, ms, words))).toBe(rest),
);
