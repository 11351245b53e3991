import { limits } from '@parley/contract';
import { badRequest } from '@parley/errors';
import { decodeCursor, encodeCursor } from '@parley/runtime';

/** A page as it is asked for: 0 stands for the default, an empty cursor for the first page. */
export interface PageRequest {
  readonly limit: number;
  readonly cursor: string;
}

export interface PagePosition {
  readonly limit: number;
  /** The last id of the page before; empty for the first page. */
  readonly after: string;
}

/** Ids sort by the time they were made, so an id is the whole position. BadRequestError. */
export function positionOf({ limit, cursor }: PageRequest): PagePosition {
  const rows = limit === 0 ? limits.pageSizeDefault : limit;
  const { min, max } = limits.pageSize;
  if (rows < min || rows > max) throw badRequest(`limit must be ${min} to ${max}`);
  const [after = ''] = cursor === '' ? [] : decodeCursor(cursor, 1);
  return { limit: rows, after };
}

export interface PageOf<T> {
  readonly rows: readonly T[];
  /** Empty on the last page. */
  readonly nextCursor: string;
}

/** Cuts what was read with one row too many. */
export function pageOf<T extends { readonly id: string }>(rows: readonly T[], limit: number): PageOf<T> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, nextCursor: rows.length > limit && last !== undefined ? encodeCursor([last.id]) : '' };
}
