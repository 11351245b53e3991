import { badRequest } from '@parley/errors';
import { decodeCursor, encodeCursor } from '@parley/runtime';

/** A page as a request names it: 0 and empty stand for absent. */
export interface PageMessage {
  readonly limit: number;
  readonly cursor: string;
}

/** A page of a list that runs from the newest record to the oldest. */
export interface PageRequest {
  /** 1 to 100. */
  readonly limit: number;
  /** Records before this place; `infinity` for the first page. */
  readonly createdBefore: string;
  readonly idBefore: string;
}

export interface PageOf<R> {
  readonly items: R[];
  /** Empty on the last page. */
  readonly nextCursor: string;
}

const defaultLimit = 20;
const greatestLimit = 100;

/** BadRequestError for a limit out of range or a cursor that was not given out. */
export function pageRequest(page: PageMessage | undefined): PageRequest {
  const limit = page === undefined || page.limit === 0 ? defaultLimit : page.limit;
  if (limit < 1 || limit > greatestLimit) throw badRequest(`limit: must be from 1 to ${greatestLimit}`);
  if (page === undefined || page.cursor === '') return { limit, createdBefore: 'infinity', idBefore: '' };
  const [createdBefore = '', idBefore = ''] = decodeCursor(page.cursor, 2, ['time', 'text']);
  return { limit, createdBefore, idBefore };
}

/** Cuts the `limit + 1` rows that a list statement asks for to a page and the cursor of the next one. */
export function pageOf<R extends { readonly createdAt: string }>(
  rows: readonly R[],
  request: PageRequest,
  idOf: (row: R) => string,
): PageOf<R> {
  const items = rows.slice(0, request.limit);
  const last = items.at(-1);
  const nextCursor =
    rows.length > request.limit && last !== undefined ? encodeCursor([last.createdAt, idOf(last)]) : '';
  return { items, nextCursor };
}
