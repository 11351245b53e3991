import type { CallListQuery, MessageListQuery } from '@parley/contract';
import { leastIdAt, type IdPrefix } from '@parley/runtime';
import type { ListFilter } from './filters.rules';

/** An id is created before its record's timestamp, by another clock: they differ by less than this. */
const clockSlackMs = 60_000;

/** The filter of a list, from its query parameters. */
export function listFilterOf(
  prefix: IdPrefix,
  query: CallListQuery | MessageListQuery,
  page: Pick<ListFilter, 'before' | 'limit'>,
): ListFilter {
  const { since = '', until = '' } = query;
  const idAt = (time: string, slackMs: number): string =>
    time === '' ? '' : leastIdAt(prefix, new Date(Date.parse(time) + slackMs));
  return {
    agentId: query.agent_id ?? '',
    projectId: query.project_id ?? '',
    status: query.status ?? '',
    endedReason: 'ended_reason' in query ? (query.ended_reason ?? '') : '',
    direction: query.direction ?? '',
    from: query.from ?? '',
    to: query.to ?? '',
    since,
    leastId: idAt(since, -clockSlackMs),
    until,
    idBefore: idAt(until, clockSlackMs),
    ascending: query.sort === 'created_at',
    ...page,
  };
}
