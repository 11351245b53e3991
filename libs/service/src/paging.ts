import { limits, type ListQuery } from '@parley/contract';
import { decodeCursor, encodeCursor, type CursorValue } from '@parley/runtime';

/** The position and length of a page. */
export interface PagePosition {
  /** Rows at most, 1 to 100. */
  readonly limit: number;
  /** Values of the previous page's last row; undefined for the first page. */
  readonly after: readonly string[] | undefined;
}

/**
 * The page that a list's query asks for.
 * @param kinds what the values of its cursor are; one text by default
 * @throws AppError BadRequestError for a cursor that was not given out
 */
export function pagePosition(
  { limit, cursor }: Pick<ListQuery, 'limit' | 'cursor'>,
  kinds: readonly CursorValue[] = ['text'],
): PagePosition {
  const after = cursor === undefined || cursor === '' ? undefined : decodeCursor(cursor, kinds.length, kinds);
  return { limit, after };
}

/**
 * The answer of a list: `{"data": [...], "next_cursor": string | null}`. A page ends at the limit, or before the row that would make it longer than 1 MiB.
 * @param rows one more than `limit` where there are so many
 * @param render JSON text of a row
 * @param cursorOf values by which the next page finds its place
 */
export function pageDocument<Row>(
  rows: readonly Row[],
  limit: number,
  render: (row: Row) => string,
  cursorOf: (row: Row) => readonly (string | number)[],
): string {
  const rendered: string[] = [];
  let bytes = 0;
  for (const row of rows.slice(0, limit)) {
    const text = render(row);
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > limits.pageBytes && rendered.length > 0) break;
    rendered.push(text);
  }
  const last = rows[rendered.length - 1];
  const next = last === undefined || rendered.length === rows.length ? null : encodeCursor(cursorOf(last));
  return `{"data":[${rendered.join(',')}],"next_cursor":${JSON.stringify(next)}}`;
}
