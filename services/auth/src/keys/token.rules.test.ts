import { randomBytes } from 'node:crypto';
import { parseToken } from '@parley/contract';
import { lastFourOf, mintToken } from './token.rules';

describe('mintToken', () => {
  it.each(['tai_', 'tgw_'] as const)('%s tokens are well formed and unique', (prefix) => {
    const tokens = Array.from({ length: 200 }, () => mintToken(prefix, randomBytes));
    expect(new Set(tokens).size).toBe(200);
    for (const token of tokens) expect(parseToken(token)).toEqual({ prefix });
  });

  it('uses every digit of base 62', () => {
    const digits = Array.from({ length: 300 }, () => mintToken('tai_', randomBytes).slice(4, 36)).join('');
    expect(new Set(digits).size).toBe(62);
  });

  it.each([
    ['accepts the last unbiased byte', 247, 'z'],
    ['accepts byte 0', 0, '0'],
  ])('%s', (_, byte, digit) => {
    expect(mintToken('tai_', (size) => Buffer.alloc(size, byte)).slice(4, 36)).toBe(digit.repeat(32));
  });

  it.each([248, 255])('draws another byte instead of %i, which would bias the digits', (byte) => {
    let draws = 0;
    const token = mintToken('tai_', (size) => Buffer.alloc(size, (draws += 1) === 1 ? byte : 1));
    expect(draws).toBe(2);
    expect(token.slice(4, 36)).toBe('1'.repeat(32));
  });

  it('lastFourOf returns the last four characters', () => {
    expect(lastFourOf('tai_abcdefgh')).toBe('efgh');
  });
});
