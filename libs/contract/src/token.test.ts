import { parseToken, tokenChecksum } from './token';

const body = 'tai_0123456789ABCDEFGHIJKLMNOPQRSTUV';
const token = body + tokenChecksum(body);

describe('syntax and checksum of API keys and gateway tokens', () => {
  it('accepts both prefixes', () => {
    const gateway = body.replace('tai_', 'tgw_');
    expect(parseToken(token)).toEqual({ prefix: 'tai_' });
    expect(parseToken(gateway + tokenChecksum(gateway))).toEqual({ prefix: 'tgw_' });
  });

  it('has a checksum of six base-62 digits', () => {
    expect(tokenChecksum('')).toBe('000000');
    expect(tokenChecksum('123456789')).toBe('3jZRME'); // CRC-32 check value 0xcbf43926
  });

  it('refuses every single mistyped character', () => {
    for (let index = 0; index < token.length; index += 1) {
      const mistyped = token.slice(0, index) + (token.charAt(index) === 'x' ? 'y' : 'x') + token.slice(index + 1);
      expect(parseToken(mistyped)).toBeUndefined();
    }
  });

  it.each([
    ['an empty text', ''],
    ['a missing last character', token.slice(0, -1)],
    ['an additional character', `${token}0`],
    ['another prefix', `tax_${token.slice(4)}`],
    ['a line feed at the end', `${token}\n`],
    ['a space at the beginning', ` ${token}`],
    ['the checksum of the other prefix', `tgw_${token.slice(4)}`],
    ['a character outside base 62', `${body.slice(0, -1)}-${tokenChecksum(`${body.slice(0, -1)}-`)}`],
  ])('refuses %s', (_, text) => {
    expect(parseToken(text)).toBeUndefined();
  });
});
