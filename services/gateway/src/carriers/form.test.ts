import { AppError } from '@parley/errors';
import { parseForm } from './form';

const type = 'application/x-www-form-urlencoded; charset=UTF-8';
const read = (text: string, contentType: string | undefined = type) => parseForm(contentType, Buffer.from(text));
const code = (text: string, contentType?: string): unknown => {
  try {
    return read(text, contentType);
  } catch (error) {
    return error instanceof AppError ? error.code : error;
  }
};

describe('parsing of the form in a carrier webhook', () => {
  it.each([
    ['', {}],
    ['To=%2B14155550100&From=a+b&Empty=', { To: '+14155550100', From: 'a b', Empty: '' }],
    ['Body=%E2%82%AC=1', { Body: '€=1' }],
    ['__proto__=x', Object.fromEntries([['__proto__', 'x']])],
  ])('reads %j', (text, form) => {
    expect(read(text)).toEqual(form);
  });

  it.each(['a=1&a=2', '=1', '&', 'a=1&', 'a=%', 'a=%zz', 'a=%C3', 'a=%ED%A0%80', 'a=%00', 'a=ü', 'a=\n'])(
    'refuses the malformed form %j',
    (text) => {
      expect(code(text)).toBe('BadRequestError');
    },
  );

  it.each([undefined, 'application/json', 'text/plain'])('refuses the media type %s', (contentType) => {
    expect(() => parseForm(contentType, Buffer.from('a=1'))).toThrow(AppError);
  });

  it('accepts up to 200 fields, and refuses more with PayloadTooLargeError', () => {
    const names = (count: number) => Array.from({ length: count }, (_, n) => `n${n}=1`).join('&');
    expect(Object.keys(read(names(200)))).toHaveLength(200);
    expect(code(names(201))).toBe('PayloadTooLargeError');
  });
});
