import { SentenceCutter } from './sentences';

const cut = (pieces: readonly string[], language = 'en'): string[] => {
  const cutter = new SentenceCutter(language);
  const sentences = pieces.flatMap((piece) => cutter.write(piece));
  const rest = cutter.end();
  return rest === undefined ? sentences : [...sentences, rest];
};
const many = (text: string, times: number): string => text.repeat(times);

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
  [
    ['Your appointment with Dr. Smith is at St. Mary Hospital, No. 5, at 9 a.m. on Friday. It is early.'],
    ['Your appointment with Dr. Smith is at St. Mary Hospital, No. 5, at 9 a.m. on Friday. ', 'It is early.'],
  ],
  [['This is John F. Kennedy speaking. Hello.'], ['This is John F. Kennedy speaking. ', 'Hello.']],
])('the streamed text %j is split into the sentences %j', (pieces, sentences) =>
  expect(cut(pieces)).toEqual(sentences),
);

it.each([
  ['hi', 'हम नौ बजे खुलते हैं। ', 'हम पाँच बजे बंद होते हैं।'],
  ['ar', 'هل أنت متأكد من ذلك؟ ', 'نعم.'],
  ['ur', 'دکان نو بجے کھلتی ہے۔ ', 'شکریہ۔'],
  ['zh', '我们上午九点钟开门营业一直到晚上。', '谢谢。'],
  ['ja', '午前九時に開店いたしますのでどうぞ。', 'はい。'],
  ['am', 'ሰላም እንዴት ናችሁ ዛሬ። ', 'ደህና።'],
  ['my', 'မင်္ဂလာပါ ခင်ဗျာ။ ', 'နေကောင်းလား။'],
  ['de', 'Wir öffnen am 3. Mai um neun, z. B. für Hr. Maier. ', 'Bis dann.'],
  ['fr', 'Vous avez rendez-vous avec M. Durand. ', 'Merci.'],
])('in %s the sentence %j ends before %j', (language, first, second) => {
  expect(cut([first + second], language)).toEqual([first, second]);
  expect(cut((first + second).split(''), language)).toEqual([first, second]);
});

it('passes a sentence on as soon as white space follows, and one of a script without spaces at once', () => {
  expect(new SentenceCutter('en').write('Good day to you. ')).toEqual(['Good day to you. ']);
  expect(new SentenceCutter('zh').write('我们上午九点钟开门营业一直到晚上。')).toHaveLength(1);
});

it.each([
  ['at clauses', many('one two three, ', 60), /, $/],
  ['at words', many('word ', 180), / $/],
  ['anywhere', many('x', 900), /x$/],
  ['never within a character', many('👍', 450), /👍$/u],
])('cuts a text without an end %s', (_, text, end) => {
  const parts = cut([text]);
  expect(parts.join('')).toBe(text);
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(400);
  for (const part of parts.slice(0, -1)) {
    expect(part).toMatch(end);
    expect(part.isWellFormed()).toBe(true);
  }
});

it('loses no character for any division of the text into two pieces', () => {
  const text = 'Good day. This is Dr. Who! Is it 5 p.m.? 。はい。Well… "yes." Bye';
  for (let at = 0; at <= text.length; at += 1) expect(cut([text.slice(0, at), text.slice(at)]).join('')).toBe(text);
});
