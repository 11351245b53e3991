import type { CallAnalyticsQuery } from '@parley/contract';
import { invalidField } from '@parley/errors';
import type { Telephony } from '../../telephony';
import { databaseTime, sumRollups, type RollupRow } from './call-rollups.sql';
import { dayStartsOf } from './day-starts.rules';
import { percentileOf } from './latency-histogram.rules';
import { analyticsPeriodOf, mostSlices } from './period.rules';

/** JSON of CallAnalytics, from the rollups, which still include erased calls. */
export async function readCallAnalytics(
  { db }: Pick<Telephony, 'db'>,
  organizationId: string,
  query: CallAnalyticsQuery,
): Promise<string> {
  const { interval, group_by: groupBy, project_id: projectId = '', agent_id: agentId = '' } = query;
  const period = analyticsPeriodOf(query, await databaseTime(db));
  const dayStarts = dayStartsOf(period, query.time_zone ?? 'UTC');
  const filter = { ...period, interval, dayStarts, groupBy, projectId, agentId, limit: mostSlices + 1 };
  const rows = await sumRollups(db, organizationId, filter);
  if (rows.length > mostSlices)
    throw invalidField('from', 'too_small', `has more than ${mostSlices} intervals: request a shorter period`);
  return JSON.stringify({ data: rows.map(sliceOf) });
}

function sliceOf(row: RollupRow): object {
  const latencies = (row.turn_latencies ?? []).map(Number);
  return {
    start: row.start.toISOString(),
    key: row.key,
    calls: Number(row.calls),
    answered: Number(row.answered),
    duration_seconds: Number(row.duration_seconds),
    cost_micros: Number(row.cost_micros),
    turn_latency_ms: { p50: percentileOf(latencies, 50), p95: percentileOf(latencies, 95) },
  };
}
