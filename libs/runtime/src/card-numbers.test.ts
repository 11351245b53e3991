import { cardNumberMark as mark, jsonWithoutCardNumbers, withoutCardNumbers } from './card-numbers';

/** Test numbers of the card networks, and invented numbers with a valid check digit. */
it.each([
  ['4111111111111111', mark],
  ['my card is 4111 1111 1111 1111, thanks', `my card is ${mark}, thanks`],
  ['4111-1111-1111-1111', mark],
  ['4111.1111.1111.1111', mark],
  ['4111, 1111, 1111, 1111.', `${mark}.`],
  ['4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1', mark],
  ['3782 822463 10005', mark],
  ['13 digits: 4222222222222', `13 digits: ${mark}`],
  ['19 digits: 6304000000000000000', `19 digits: ${mark}`],
  ['with its date: 4111 1111 1111 1111 12 26', `with its date: ${mark} 12 26`],
  ['after a number: 7, 4111 1111 1111 1111', `after a number: 7, ${mark}`],
  ['two: 4111111111111111 5555555555554444', `two: ${mark} ${mark}`],
  ['two: 4111111111111111; 5555555555554444', `two: ${mark}; ${mark}`],
])('removes the card number in %j', (text, expected) => expect(withoutCardNumbers(text)).toBe(expected));

it.each([
  ['a wrong check digit', '4111111111111112'],
  ['12 digits', '422222222224'],
  ['20 digits in one', '63040000000000000000'],
  ['a phone number', '+4915112345675 or 030 901820'],
  ['digits within a word', 'call_4111111111111111x'],
  ['an identifier', 'x4111111111111111'],
  ['no digits', 'hello there, how are you?'],
  ['a date and a time', '2026-11-23 07:35:03'],
  ['groups far apart', '4111 1111   1111 1111'],
  ['an empty string', ''],
])('does not change %s', (_what, text) => expect(withoutCardNumbers(text)).toBe(text));

it('removes card numbers in every string of a document', () => {
  const said = { turns: [{ text: '4111 1111 1111 1111', ended_ms: 1_700_000_000_000 }], language: 'en' };
  expect(JSON.parse(jsonWithoutCardNumbers(said))).toEqual({
    turns: [{ text: mark, ended_ms: 1_700_000_000_000 }],
    language: 'en',
  });
});

it('takes less than quadratic time in the length of the text', () => {
  const started = performance.now();
  withoutCardNumbers('1 2 '.repeat(50_000));
  withoutCardNumbers('1'.repeat(200_000));
  expect(performance.now() - started).toBeLessThan(2_000);
});
