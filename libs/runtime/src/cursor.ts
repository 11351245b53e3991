import { crc32 } from 'node:zlib';
import { badRequest } from '@parley/errors';

const MAX_LENGTH = 1024;

/** The type of a cursor's value, which is checked before the value is used in SQL. A count fits into a column of four bytes. */
export type CursorValue = 'time' | 'integer' | 'count' | 'text';

const shapes: Record<CursorValue, RegExp> = {
  time: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?Z$/,
  integer: /^-?\d{1,18}$/,
  count: /^\d{1,9}$/,
  text: /^[\x20-\x7e]*$/,
};

/** Encodes the opaque `?cursor=` of a list (docs/reference/requests.md): the sort values of the last row, with a checksum. */
export function encodeCursor(values: readonly (string | number)[]): string {
  const text = JSON.stringify(values.map(String));
  return Buffer.from(checksum(text) + text).toString('base64url');
}

/**
 * The values passed to `encodeCursor`, as strings. Any other text is refused with 400 `BadRequestError`.
 * @param size the number of values in the list's cursor
 * @param kinds the type of each value, so that a forged cursor is a 400 and not a failed SQL statement
 */
export function decodeCursor(cursor: string, size: number, kinds: readonly CursorValue[] = []): string[] {
  const values = cursor.length <= MAX_LENGTH ? parse(cursor) : undefined;
  if (values === undefined || values.length !== size) throw badCursor();
  for (const [index, value] of values.entries()) {
    if (!shapes[kinds[index] ?? 'text'].test(value)) throw badCursor();
    if (kinds[index] === 'time' && !isMoment(value)) throw badCursor();
  }
  return values;
}

/** Whether the time exists in the calendar. Date.parse accepts 31 February, 24:00 and the year 0, which PostgreSQL refuses or reads as another time. */
function isMoment(value: string): boolean {
  const time = new Date(value);
  return (
    !Number.isNaN(time.getTime()) && !value.startsWith('0000') && time.toISOString().startsWith(value.slice(0, 19))
  );
}

function parse(cursor: string): string[] | undefined {
  const decoded = Buffer.from(cursor, 'base64url');
  if (decoded.toString('base64url') !== cursor) return undefined;
  const text = decoded.toString();
  if (checksum(text.slice(8)) !== text.slice(0, 8)) return undefined;
  try {
    const values: unknown = JSON.parse(text.slice(8));
    return Array.isArray(values) && values.every((value) => typeof value === 'string') ? values : undefined;
  } catch {
    return undefined;
  }
}

const checksum = (text: string): string => crc32(text).toString(16).padStart(8, '0');

const badCursor = () => badRequest('invalid cursor: use one that this list returned');
