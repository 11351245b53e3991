import type { ListQuery } from '@parley/contract';
import { pageDocument, pagePosition } from '@parley/service';
import type { PageBefore } from './rows.rules';

interface Dated {
  readonly createdAt: string;
}

/**
 * The JSON text of a page of a list that runs from the newest record to the oldest.
 * @param read returns one row more than the limit where there are so many
 * @throws AppError BadRequestError for a cursor that was not given out
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
