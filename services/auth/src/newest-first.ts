import type { ListQuery } from '@parley/contract';
import { pageDocument, pagePosition } from '@parley/service';
import type { PageBefore } from './rows.rules';

interface Dated {
  readonly createdAt: string;
}

/**
 * Returns a page of a list, from the newest record to the oldest, as JSON text.
 * @param read returns up to one row more than the limit, which shows whether another page follows
 * @throws AppError BadRequestError for a cursor that the platform did not issue
 */
export async function newestFirst<Row extends Dated>(
  query: ListQuery,
  read: (page: PageBefore) => Promise<readonly Row[]>,
  view: (row: Row) => object,
  idOf: (row: Row) => string,
): Promise<string> {
  const { limit, after = [] } = pagePosition(query, ['time', 'text']);
  const [createdBefore = 'infinity', idBefore = ''] = after;
  const rows = await read({ limit, createdBefore, idBefore });
  return pageDocument(
    rows,
    limit,
    (row) => JSON.stringify(view(row)),
    (row) => [row.createdAt, idOf(row)],
  );
}
