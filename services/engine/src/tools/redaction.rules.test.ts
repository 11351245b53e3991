import { redacted, redactedValue } from './redaction.rules';

it.each([
  ['4111111111111111', '[card number]'],
  ['4111 1111 1111 1111', '[card number]'],
  ['pay 5500-0000-0000-0004 now', 'pay [card number] now'],
  ['378282246310005', '[card number]'],
  // A wrong check digit, too few digits, too many digits, decimals.
  ['4111111111111112', '4111111111111112'],
  ['411111111111', '411111111111'],
  ['41111111111111111111', '41111111111111111111'],
  ['0.4111111111111111', '0.4111111111111111'],
  ['+14155550100', '+14155550100'],
])('replaces card numbers: %s', (text, expected) => expect(redacted(text, [])).toBe(expected));

it.each([
  ['the key is sk-12345', ['sk-12345'], 'the key is ***'],
  ['sk-12345678', ['sk-12345', 'sk-12345678'], '***'],
  ['an ordinary word', ['word', ''], 'an ordinary word'],
])('replaces secrets: %s', (text, secrets, expected) => expect(redacted(text, secrets)).toBe(expected));

it('redacts texts, numbers and field names at every depth', () => {
  const value = {
    a: ['4111111111111111', 4111111111111111],
    '4111111111111111': { b: 'secret-1' },
    c: 12,
    d: null,
    e: true,
  };
  expect(redactedValue(value, ['secret-1'])).toEqual({
    a: ['[card number]', '[card number]'],
    '[card number]': { b: '***' },
    c: 12,
    d: null,
    e: true,
  });
});
