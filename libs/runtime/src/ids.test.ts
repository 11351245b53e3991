import { isId, newId } from './ids';

describe('ids', () => {
  it('have a prefix and 26 characters of Crockford base32 that encode a UUIDv7', () => {
    expect(newId('agt')).toMatch(/^agt_0[0-9a-hjkmnp-tv-z]{25}$/);
    const digits = '0123456789abcdefghjkmnpqrstvwxyz';
    const value = [...newId('call').slice(5)].reduce((sum, digit) => sum * 32n + BigInt(digits.indexOf(digit)), 0n);
    expect(Math.abs(Number(value >> 80n) - Date.now())).toBeLessThan(5_000);
    expect((value >> 76n) & 15n).toBe(7n);
    expect((value >> 62n) & 3n).toBe(2n);
  });

  it('sort in the order of creation, also within a millisecond', () => {
    const ids = Array.from({ length: 10_000 }, () => newId('evt'));
    expect(new Set(ids).size).toBe(ids.length);
    expect([...ids].sort()).toEqual(ids);
  });

  it.each([
    ['a new one', newId('key'), true],
    ['the smallest', 'key_00000000000000000000000000', true],
    ['the largest', 'key_7zzzzzzzzzzzzzzzzzzzzzzzzz', true],
    ['more than 128 bits', 'key_80000000000000000000000000', false],
    ['another prefix', newId('agt'), false],
    ['no prefix', newId('key').slice(4), false],
    ['25 characters', newId('key').slice(0, -1), false],
    ['27 characters', `${newId('key')}0`, false],
    ['upper case', newId('key').toUpperCase(), false],
    ['a letter that is not in the alphabet', 'key_0000000000000000000000000u', false],
    ['a line end', 'key_0000000000000000000000000\n', false],
    ['nothing', '', false],
  ])('isId of %s is %s', (_case, value, expected) => {
    expect(isId('key', value)).toBe(expected);
  });
});
