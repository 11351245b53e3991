import { limits, type ListQuery } from '@parley/contract';
import { decodeCursor, encodeCursor, type CursorValue } from '@parley/runtime';

/** The position and length of a page. */
export interface PagePosition {
  /** Maximum of rows, 1 to 100. */
  readonly limit: number;
  /** The cursor values of the previous page's last row; undefined for the first page. */
  readonly after: readonly string[] | undefined;
}

/**
 * The page that a list's query requests.
 * @param kinds the types of its cursor's values; default: a single text
 * @throws AppError BadRequestError for a cursor that the platform did not issue
 */
export function pagePosition(
  { limit, cursor }: Pick<ListQuery, 'limit' | 'cursor'>,
  kinds: readonly CursorValue[] = ['text'],
): PagePosition {
  const after = cursor === undefined || cursor === '' ? undefined : decodeCursor(cursor, kinds.length, kinds);
  return { limit, after };
}

/**
 * The response of a list: `{"data": [...], "next_cursor": string | null}`. A page ends at the limit, or before the row that would make it longer than 1 MiB.
 * @param rows one more than `limit` if there are more
 * @param render returns the JSON text of a row
 * @param cursorOf returns the values from which the next page continues
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
