import type { Queryable } from '@parley/runtime';
import { eraAt, inEra, nextEra } from '../counter-rows';
import type { RollupDelta } from './rollup.rules';

/** The counters of a rollup `kept`, increased by those of `added`. */
const increased = (
  added: string,
): string => `calls = kept.calls + ${added}.calls, answered = kept.answered + ${added}.answered,
  duration_seconds = kept.duration_seconds + ${added}.duration_seconds, cost_micros = kept.cost_micros + ${added}.cost_micros,
  turn_latencies = case when cardinality(${added}.turn_latencies) = 0 then kept.turn_latencies else array(
    select coalesce(one, 0) + coalesce(other, 0)
    from unnest(kept.turn_latencies, ${added}.turn_latencies) with ordinality as pairs(one, other, nth) order by nth) end,
  ${nextEra('kept')}`;

/**
 * Adds to the rollup of an hour. It is looked for among the rollups of the organization that were updated in the last ten seconds first, because the
 * check for a conflict visits every version of the row that vacuum has not removed. Lock order: this row before the organization's counter row.
 */
export async function addToRollup(tx: Queryable, organizationId: string, delta: RollupDelta): Promise<void> {
  await tx.query({
    name: 'call-rollup-add',
    text: `with added as materialized (
             select $1::text as organization_id, date_trunc('hour', $2::timestamptz, 'UTC') as hour, $3::text as project_id, $4::text as agent_id,
               $5::text as direction, $6::text as channel, $7::text as carrier, $8::text as status, $9::text as ended_reason, $10::bigint as calls,
               $11::bigint as answered, $12::bigint as duration_seconds, $13::bigint as cost_micros, $14::bigint[] as turn_latencies),
           updated as (
             update call_rollups kept set ${increased('added')} from added
             where ${inEra('kept', '$1::text', `greatest(1, ${eraAt('now()')} - 5)`)} and kept.era > 0
               and (kept.organization_id = $1) is true and kept.hour = added.hour and kept.project_id = added.project_id
               and kept.agent_id = added.agent_id and kept.direction = added.direction and kept.channel = added.channel
               and kept.carrier = added.carrier and kept.status = added.status and kept.ended_reason = added.ended_reason
             returning 1)
           insert into call_rollups as kept (organization_id, hour, project_id, agent_id, direction, channel, carrier, status,
             ended_reason, calls, answered, duration_seconds, cost_micros, turn_latencies, era)
           select added.*, ${eraAt('clock_timestamp()')} from added where not exists (select from updated)
           on conflict (organization_id, hour, project_id, agent_id, direction, channel, carrier, status, ended_reason)
           do update set ${increased('excluded')} where kept.organization_id = $1`,
    values: [
      organizationId,
      delta.at,
      delta.projectId,
      delta.agentId,
      delta.direction,
      delta.channel,
      delta.carrier,
      delta.status,
      delta.endedReason,
      delta.calls,
      delta.answered,
      delta.durationSeconds,
      delta.costMicros,
      delta.turnLatencies,
    ],
  });
}

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
             where organization_id = $1 and hour >= $3 and hour < $4
               and ($6 = '' or project_id = $6) and ($7 = '' or agent_id = $7)),
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
