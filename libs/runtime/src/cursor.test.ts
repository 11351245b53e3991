import { AppError } from '@parley/errors';
import { decodeCursor, encodeCursor } from './cursor';

const refused = (cursor: string, size = 2, kinds: Parameters<typeof decodeCursor>[2] = []) => {
  try {
    decodeCursor(cursor, size, kinds);
  } catch (error) {
    return error instanceof AppError ? `${error.status} ${error.code}` : error;
  }
  return 'accepted';
};

describe('cursors', () => {
  it('are decoded to strings', () => {
    const values = ['2026-05-01T10:00:00.123456Z', 42, 'agt_0123'];
    expect(decodeCursor(encodeCursor(values), 3, ['time', 'integer', 'text'])).toEqual(values.map(String));
  });

  const cursor = encodeCursor(['2026-05-01T10:00:00.000Z', 'agt_1']);
  const tampered = Buffer.from(Buffer.from(cursor, 'base64url').toString().replace('agt_1', 'agt_2')).toString(
    'base64url',
  );

  it.each([
    ['empty', ''],
    ['not base64url', 'a b'],
    ['cut', cursor.slice(0, -1)],
    ['extended', `${cursor}A`],
    ['changed inside', tampered],
    ['of another list', encodeCursor(['1'])],
    ['too long', encodeCursor(['x'.repeat(2000), 'y'])],
    ['with a control character', encodeCursor(['a', 'b\u0000'])],
  ])('a cursor that is %s throws 400', (_case, text) => {
    expect(refused(text)).toBe('400 BadRequestError');
  });

  it.each([
    ['time', '2026-05-01T10:00:00Z', 'accepted'],
    ['time', '2026-13-01T10:00:00Z', '400 BadRequestError'],
    ['time', 'yesterday', '400 BadRequestError'],
    ['time', '2026-02-30T10:00:00Z', '400 BadRequestError'],
    ['time', '2026-05-01T24:00:00Z', '400 BadRequestError'],
    ['time', '0000-01-01T00:00:00Z', '400 BadRequestError'],
    ['time', '2024-02-29T23:59:59.999999Z', 'accepted'],
    ['count', '999999999', 'accepted'],
    ['count', '2147483648', '400 BadRequestError'],
    ['count', '-1', '400 BadRequestError'],
    ['integer', '-12', 'accepted'],
    ['integer', '1.5', '400 BadRequestError'],
    ['integer', '1234567890123456789', '400 BadRequestError'],
  ] as const)('a cursor with a valid checksum but the %s %s: %s', (kind, value, expected) => {
    expect(refused(encodeCursor([value]), 1, [kind])).toBe(expected);
  });
});
