import { SpokenText } from './spoken-text';

const spoken = (pieces: readonly string[], language = 'en', verbatim = false): string => {
  const stage = new SpokenText(language, verbatim);
  return pieces.map((piece) => stage.write(piece)).join('') + stage.end();
};
const plain = (text: string): string => text.replace(/\s+/g, ' ').replaceAll(' ,', ',').trim();

const cases: [written: string, heard: string, language?: string][] = [
  ['Good morning, how can I help?', 'Good morning, how can I help?'],
  [
    'Our offer: **Basic** is $5, see [prices](https://example.com/p?x=1) 😀\n\n| A | B |\n|---|---|\n| 1 | 2 |',
    'Our offer: Basic is 5 US dollars, see prices A, B 1, 2',
  ],
  ['### Next\n- one\n* two\n+ three\n1. four', 'Next one two three 1. four'],
  ['`Pro` and ```\ncode\n``` end', 'Pro and code end'],
  ['a *very* __important__ ~~old~~ snake_case thing', 'a very important old snake_case thing'],
  ['> quoted\n\n---\n\nnext', 'quoted next'],
  ['![a cat](cat.png) and [text][1] here[^2]【4†source】', 'a cat and text here'],
  ['2 * 3 is 6', '2 × 3 is 6'],
  ['Fine 👍🏽 👨‍👩‍👧 🇩🇪 1️⃣ now', 'Fine 1 now'],
  ['Hello<br>there <b>you</b>', 'Hello there you'],
  ['... as I said', 'as I said'],
  ['👍', ''],
  ['...', ''],
  ['** **', ''],
  ['Write to jane.doe@example.com today', 'Write to jane dot doe at example dot com today'],
  ['Schreiben Sie an info@beispiel.de.', 'Schreiben Sie an info ät beispiel Punkt de.', 'de'],
  ['See https://www.example.com/pricing?x=1.', 'See www dot example dot com slash pricing.'],
  ['It costs $1,234.50 now', 'It costs 1,234.50 US dollars now'],
  ['It costs $5 million now', 'It costs $5 million now'],
  ['Das kostet 5,50 € pro Tag', 'Das kostet 5,50 Euro pro Tag', 'de'],
  ['Das kostet 1.200 EUR.', 'Das kostet 1.200 Euro.', 'de'],
  ['On 2026-08-14 we open', 'On August 14, 2026 we open'],
  ['On 03/04/2026 we open', 'On March 4, 2026 we open'],
  ['Am 03.04.2026 öffnen wir', 'Am 3. April 2026 öffnen wir', 'de'],
  ['On 31/12/2026 we open', 'On 31 December 2026 we open', 'en-GB'],
  ['On 2026-13-45 we open', 'On 2026-13-45 we open'],
  ['at 14:30 or 9:05 am', 'at 2:30 PM or 9:05 am'],
  ['um 14:30 Uhr', 'um 14:30 Uhr', 'de'],
  ['Call +49 30 1234567 or (555) 123-4567 now', 'Call +4 9, 3 0, 1 2 3 4 5 6 7 or 5 5 5, 1 2 3, 4 5 6 7 now'],
  ['Order 123456789 and 1,250 pieces', 'Order 1 2 3, 4 5 6, 7 8 9 and 1,250 pieces'],
  ['It is 3.5 km, 50 % more, version 1.2.3', 'It is 3.5 km, 50 % more, version 1.2.3'],
  ['هل أنت متأكد؟', 'هل أنت متأكد؟', 'ar'],
  ['می‌خواهم क्‍ष', 'می‌خواهم क्‍ष', 'fa'],
  ['¿Qué tal?', '¿Qué tal?', 'es'],
];

it.each<[string, string, string?]>(cases)('%j is heard as %j', (written, heard, language = 'en') =>
  expect(plain(spoken([written], language))).toBe(heard),
);

it.each<[string, string, string?]>(cases)(
  '%j is heard the same in any two pieces, and in single characters',
  (written, heard, language = 'en') => {
    for (let at = 1; at < written.length; at += 1)
      expect(plain(spoken([written.slice(0, at), written.slice(at)], language))).toBe(heard);
    expect(plain(spoken(Array.from(written), language))).toBe(heard);
  },
);

it.each([
  ['**Sorry**, `x` 😀 $5 ...', '**Sorry**, `x` 😀 $5 ...'],
  ['...', ''],
])('of the verbatim text %j the voice gets %j', (text, heard) => expect(spoken([text], 'en', true)).toBe(heard));

it('passes a word on when the next one begins', () => {
  const stage = new SpokenText('en');
  expect(stage.write('Good mor')).toBe('Good ');
  expect(stage.write('ning all')).toBe('morning ');
  expect(stage.end()).toBe('all');
});

it('holds an unfinished link back only for as long as one can be', () => {
  const stage = new SpokenText('en');
  expect(stage.write('see [a')).toBe('see ');
  expect(stage.write(`${' word'.repeat(100)} end `)).toContain('word');
});

it.each([
  ['Our **Basic** plan', 'Basic', 'Our **Basic'],
  ['See [prices](https://example.com/p) now', 'prices', 'See [prices](https://example.com/p)'],
  ['It is $5 now', 'dollars', 'It is $5'],
  ['😀 Hello there', 'Hello', '😀 Hello'],
])('of %j, up to the word %j the text %j was heard', (written, word, heard) => {
  const stage = new SpokenText('en');
  const text = stage.write(written) + stage.end();
  expect(written.slice(0, stage.writtenAt(text.indexOf(word) + word.length))).toBe(heard);
  expect(stage.writtenAt(text.length)).toBe(written.length);
  expect(stage.writtenAt(0)).toBe(0);
});
