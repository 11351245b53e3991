import { SentenceCutter } from './sentences.rules';

const cut = (pieces: readonly string[]): string[] => {
  const cutter = new SentenceCutter();
  const sentences = pieces.flatMap((piece) => cutter.write(piece));
  const rest = cutter.end();
  return rest === undefined ? sentences : [...sentences, rest];
};

it.each([
  [
    ['Good day to you. How may I', ' help? ', 'Yes'],
    ['Good day to you. ', 'How may I help? ', 'Yes'],
  ],
  [['It costs 3.50 euros at a.b.c today.'], ['It costs 3.50 euros at a.b.c today.']],
  [['Hi. I am the front desk. '], ['Hi. I am the front desk. ']],
  [['One line that ends\nand another'], ['One line that ends\n', 'and another']],
  [['"Is that so?" she asked. '], ['"Is that so?" ', 'she asked. ']],
  [[' ', ''], []],
])('the streamed text %j is split into the sentences %j', (pieces, sentences) =>
  expect(cut(pieces)).toEqual(sentences),
);

it('loses no character for any division of the text into two pieces', () => {
  const text = 'Good day. This is Dr. Who! Is it 5 p.m.? 。はい。Well… "yes." Bye';
  for (let at = 0; at <= text.length; at += 1) expect(cut([text.slice(0, at), text.slice(at)]).join('')).toBe(text);
});
