import type { ListQuery } from '@parley/contract';
import type { Page } from '@parley/proto/common';

/** The page that a list's query asks for; the limit's default is filled in when the query is checked. */
export const pageOf = ({ limit, cursor }: ListQuery): Page => ({ limit, cursor: cursor ?? '' });
