import { encodeCursor } from '@parley/runtime';
import { pageDocument, pagePosition } from './paging';

const refusal = expect.objectContaining({ code: 'BadRequestError', status: 400 }) as Error;

describe('pagePosition', () => {
  it.each([undefined, ''])('without a cursor (%j) is the first page', (cursor) => {
    expect(pagePosition({ limit: 20, cursor })).toEqual({ limit: 20, after: undefined });
  });

  it('contains the limit and the values of the cursor', () => {
    expect(pagePosition({ limit: 1, cursor: encodeCursor(['ep_1']) })).toEqual({ limit: 1, after: ['ep_1'] });
    const cursor = encodeCursor(['2026-01-31T10:00:00.123Z', 'dlv_1', 7]);
    const { after } = pagePosition({ limit: 100, cursor }, ['time', 'text', 'integer']);
    expect(after).toEqual(['2026-01-31T10:00:00.123Z', 'dlv_1', '7']);
  });

  it.each([
    ['text that is not a cursor', 'nonsense', undefined],
    ['a cursor with an added character', `${encodeCursor(['a'])}A`, undefined],
    ['a cursor with fewer values', encodeCursor(['a']), ['text', 'text'] as const],
    ['a cursor with more values', encodeCursor(['a', 'b']), undefined],
    ['a value of the wrong type', encodeCursor(['a']), ['integer'] as const],
    ['a time that does not exist', encodeCursor(['2026-13-31T10:00:00Z']), ['time'] as const],
    ['text that PostgreSQL cannot store', encodeCursor(['a\0']), undefined],
  ])('throws for %s', (_case, cursor, kinds) => {
    expect(() => pagePosition({ limit: 20, cursor }, kinds)).toThrow(refusal);
  });
});

describe('pageDocument', () => {
  interface Row {
    readonly id: number;
    readonly text: string;
  }
  interface Page {
    readonly data: readonly Row[];
    readonly next_cursor: string | null;
  }
  const rowsOf = (count: number, text = ''): Row[] => Array.from({ length: count }, (_, id) => ({ id, text }));
  const pageOf = (rows: readonly Row[], limit: number): Page =>
    JSON.parse(
      pageDocument(
        rows,
        limit,
        (row) => JSON.stringify(row),
        ({ id }) => [id],
      ),
    ) as Page;
  const idsOf = ({ data }: Page): number[] => data.map(({ id }) => id);
  const placeAfter = ({ next_cursor: cursor }: Page) =>
    cursor === null ? null : Number(pagePosition({ limit: 1, cursor }, ['integer']).after?.[0]);

  it.each([
    ['no rows', 0, 3, [], null],
    ['fewer rows than the limit', 2, 3, [0, 1], null],
    ['as many rows as the limit', 3, 3, [0, 1, 2], null],
    ['one row more than the limit', 4, 3, [0, 1, 2], 2],
    ['one row more than the least limit', 2, 1, [0], 0],
  ])('a page for %s', (_case, count, limit, ids, after) => {
    const page = pageOf(rowsOf(count), limit);
    expect(idsOf(page)).toEqual(ids);
    expect(placeAfter(page)).toBe(after);
    expect(Object.keys(page)).toEqual(['data', 'next_cursor']);
  });

  /** Rows whose JSON text has this many bytes. */
  const ofBytes = (count: number, bytes: number, character = 'x'): Row[] => {
    const [one] = rowsOf(1);
    const left = bytes - Buffer.byteLength(JSON.stringify(one));
    const text = character.repeat(Math.floor(left / Buffer.byteLength(character)));
    return rowsOf(count, text);
  };
  const MIB = 1024 * 1024;

  it.each([
    ['of 1 MiB including separators are on one page', MIB / 4 - 1, [0, 1, 2, 3], null],
    ['one byte longer each are split before the last', MIB / 4, [0, 1, 2], 2],
    ['of more than half the page size are on one page each', MIB / 2 + 1, [0], 0],
    ['larger than a page are on one page each, none is skipped', MIB * 2, [0], 0],
  ])('four rows %s', (_case, bytes, ids, after) => {
    const page = pageOf(ofBytes(4, bytes), 100);
    expect(idsOf(page)).toEqual(ids);
    expect(placeAfter(page)).toBe(after);
  });

  it('limits the page by bytes, not characters', () => {
    const page = pageOf(ofBytes(4, 400_000, '✓'), 100);
    expect(idsOf(page)).toEqual([0, 1]);
    expect(placeAfter(page)).toBe(1);
  });

  it('has no next page after a last row that is larger than a page', () => {
    const page = pageOf(ofBytes(1, MIB * 2), 1);
    expect(idsOf(page)).toEqual([0]);
    expect(placeAfter(page)).toBeNull();
  });
});
