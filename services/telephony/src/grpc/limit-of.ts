import { limits } from '@parley/contract';
import { badRequest } from '@parley/errors';
import type { Page } from '@parley/proto/common';

/** The limit of a page: 1 to 100, 20 where none was sent. */
export function limitOf(page: Page | undefined): number {
  if (page === undefined || page.limit === 0) return limits.pageSizeDefault;
  const { min, max } = limits.pageSize;
  if (page.limit < min || page.limit > max) throw badRequest(`limit must be ${min} to ${max}`);
  return page.limit;
}
