import { parseToken, tokenChecksum } from './token';

const body = 'tai_0123456789ABCDEFGHIJKLMNOPQRSTUV';
const token = body + tokenChecksum(body);

describe('token syntax', () => {
  it('takes both prefixes', () => {
    const gateway = body.replace('tai_', 'tgw_');
    expect(parseToken(token)).toEqual({ prefix: 'tai_' });
    expect(parseToken(gateway + tokenChecksum(gateway))).toEqual({ prefix: 'tgw_' });
  });

  it('is six digits long for the least and the greatest checksum', () => {
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
    ['nothing', ''],
    ['one character short', token.slice(0, -1)],
    ['one character long', `${token}0`],
    ['another prefix', `tax_${token.slice(4)}`],
    ['a line end', `${token}\n`],
    ['a blank before', ` ${token}`],
    ['the checksum of the other prefix', `tgw_${token.slice(4)}`],
    ['a character outside base 62', `${body.slice(0, -1)}-${tokenChecksum(`${body.slice(0, -1)}-`)}`],
  ])('refuses %s', (_, text) => {
    expect(parseToken(text)).toBeUndefined();
  });
});
