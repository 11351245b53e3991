import type { Queryable } from '@parley/runtime';

export async function databaseTime(db: Queryable): Promise<Date> {
  const { rows } = await db.query<{ now: Date }>({ name: 'call-rollups-time', text: 'select now() as now' });
  return rows[0]?.now ?? new Date(0);
}

export interface RollupQuery {
  readonly interval: 'hour' | 'day';
  readonly from: Date;
  readonly to: Date;
  /** The beginnings of the days of the time zone, ascending; of no meaning by hour. */
  readonly dayStarts: readonly Date[];
  /** The column to group by; undefined: one sum for each interval. */
  readonly groupBy: string | undefined;
  /** Filters; an empty string means no filter. */
  readonly projectId: string;
  readonly agentId: string;
  readonly limit: number;
}

export interface RollupRow {
  readonly start: Date;
  readonly key: string | null;
  readonly calls: string;
  readonly answered: string;
  readonly duration_seconds: string;
  readonly cost_micros: string;
  readonly turn_latencies: readonly string[] | null;
}

/** Ordered by time, then by key. */
export async function sumRollups(db: Queryable, organizationId: string, query: RollupQuery): Promise<RollupRow[]> {
  const { rows } = await db.query<RollupRow>({
    name: 'call-rollups-sum',
    text: `with slices as (
             select case $2 when 'hour' then hour else ($9::timestamptz[])[width_bucket(hour, $9::timestamptz[])] end as start, calls, answered, duration_seconds, cost_micros, turn_latencies,
               case $5 when 'project_id' then project_id when 'agent_id' then agent_id when 'direction' then direction
                 when 'channel' then channel when 'carrier' then carrier when 'status' then status
                 when 'ended_reason' then ended_reason end as key
             from call_rollups
             where organization_id = $1 and hour >= $3 and hour < $4 and ($6 = '' or project_id = $6) and ($7 = '' or agent_id = $7)),
           sums as (
             select start, key, sum(calls) as calls, sum(answered) as answered, sum(duration_seconds) as duration_seconds,
               sum(cost_micros) as cost_micros
             from slices group by start, key order by start, key limit $8),
           counts as (
             select start, key, nth, sum(count) as count from slices, unnest(turn_latencies) with ordinality as one(count, nth)
             group by start, key, nth)
           select sums.*, (select array_agg(count order by nth) from counts
             where counts.start = sums.start and counts.key is not distinct from sums.key) as turn_latencies
           from sums order by start, key`,
    values: [
      organizationId,
      query.interval,
      query.from,
      query.to,
      query.groupBy ?? '',
      query.projectId,
      query.agentId,
      query.limit,
      query.dayStarts,
    ],
  });
  return rows;
}
