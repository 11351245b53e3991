import { outsideLanguage, OutsidePieces, outsideText } from './outside-text';

it.each([
  ['A\0B', undefined, 'A\ufffdB'],
  ['great \ud83d it', undefined, 'great \ufffd it'],
  ['\udc4d', undefined, '\ufffd'],
  ['fine 👍', undefined, 'fine 👍'],
  ['\u202eabc\u2066', undefined, '\u202eabc\u2066'],
  ['abcd', 4, 'abcd'],
  ['abcde', 4, 'abcd'],
  ['abc👍', 4, 'abc'],
  ['abc👍', 5, 'abc👍'],
  [undefined, undefined, ''],
  [{ text: 'x' }, undefined, ''],
])('%j with at most %p units becomes %j', (text, most, expected) => expect(outsideText(text, most)).toBe(expected));

it.each([
  [['a\ud83d', '\udc4db'], Infinity, 'a👍b', false],
  [['a\ud83d', 'b'], Infinity, 'a\ufffdb', false],
  [['a\ud83d'], Infinity, 'a\ufffd', false],
  [['a', null, 'b', 7], Infinity, 'ab', false],
  [['\0', 'b'], Infinity, '\ufffdb', false],
  [['abc', 'de'], 6, 'abcde', false],
  [['abc', 'def', 'g'], 5, 'abcde', true],
])('the pieces %j with at most %p units become %j', (pieces, most, expected, isFull) => {
  const border = new OutsidePieces(most);
  expect(pieces.map((piece) => border.read(piece)).join('') + border.end()).toBe(expected);
  expect(border.isFull).toBe(isFull);
});

it.each([
  ['de', 'de'],
  ['pt_BR', 'pt-BR'],
  ['zh-Hant-TW', 'zh-Hant-TW'],
  ['\0', undefined],
  ['', undefined],
  ['e', undefined],
  [`en-${'a'.repeat(33)}`, undefined],
  [['en'], undefined],
])('the reported language %j is %j', (given, expected) => expect(outsideLanguage(given)).toBe(expected));
