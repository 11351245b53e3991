import { limits } from '@parley/contract';

/**
 * The answer of a list (decisions section 1): `{"data": [...], "next_cursor": string | null}`. Give one row more than the
 * limit where there are so many. A page ends at the limit, or before the row that would make it longer than 1 MiB.
 */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  render: (row: Row) => string,
  cursorOf: (row: Row) => string,
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
  const cursor = last === undefined || rendered.length === rows.length ? null : cursorOf(last);
  return `{"data":[${rendered.join(',')}],"next_cursor":${JSON.stringify(cursor)}}`;
}
