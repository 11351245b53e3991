import type { Queryable } from '@parley/runtime';
import { deltaFloor } from './rollup-deltas.sql';

/** The primary key of `call_rollups`. */
const key = 'organization_id, hour, project_id, agent_id, direction, channel, carrier, status, ended_reason';

/**
 * Adds at most `most` deltas, oldest first, to their rollups and deletes them. Deltas that another replica is adding are skipped. Rollups are locked in the
 * order of their key.
 * @returns the number of deltas
 */
export async function foldDeltas(db: Queryable, most: number): Promise<number> {
  const { rows } = await db.query<{ folded: number }>({
    name: 'call-rollups-fold',
    text: `with due as materialized (
             select delta_id from call_rollup_deltas where added_at >= $2::timestamptz order by added_at limit $1 for update skip locked),
           gone as materialized (
             delete from call_rollup_deltas where delta_id = any(array(select delta_id from due))
             returning ${key}, calls, answered, duration_seconds, cost_micros, turn_latencies),
           -- Numbered by kind, because buckets are grouped much faster by a number than by the key.
           numbered as materialized (select *, dense_rank() over (order by ${key}) as kind from gone),
           sums as (
             select kind, ${key}, sum(calls) as calls, sum(answered) as answered, sum(duration_seconds) as duration_seconds,
               sum(cost_micros) as cost_micros
             from numbered group by kind, ${key}),
           buckets as (
             select kind, nth, sum(count) as count from numbered, unnest(turn_latencies) with ordinality as one (count, nth) group by kind, nth),
           latencies as (select kind, array_agg(count::bigint order by nth) as turn_latencies from buckets group by kind),
           folded as (
             insert into call_rollups as kept (${key}, calls, answered, duration_seconds, cost_micros, turn_latencies)
             select ${key}, calls, answered, duration_seconds, cost_micros, coalesce(turn_latencies, '{}')
             from sums left join latencies using (kind) order by ${key}
             on conflict (${key}) do update set calls = kept.calls + excluded.calls, answered = kept.answered + excluded.answered,
               duration_seconds = kept.duration_seconds + excluded.duration_seconds, cost_micros = kept.cost_micros + excluded.cost_micros,
               turn_latencies = case when cardinality(excluded.turn_latencies) = 0 then kept.turn_latencies else array(
                 select coalesce(one, 0) + coalesce(other, 0)
                 from unnest(kept.turn_latencies, excluded.turn_latencies) with ordinality as pairs (one, other, nth) order by nth) end)
           select count(*)::integer as folded from gone`,
    values: [most, deltaFloor.value],
  });
  return rows[0]?.folded ?? 0;
}

/** Moves the floor to the oldest delta that is left, if it was not moved for a while. */
export async function raiseDeltaFloor(db: Queryable): Promise<void> {
  if (!deltaFloor.wantsLook()) return;
  const { rows } = await db.query<{ database_ms: number; first_ms: number | null }>({
    name: 'call-rollups-oldest-delta',
    text: `select extract(epoch from clock_timestamp())::float8 * 1000 as database_ms, extract(epoch from (
             select added_at from call_rollup_deltas where added_at >= $1::timestamptz order by added_at limit 1))::float8 * 1000 as first_ms`,
    values: [deltaFloor.value],
  });
  if (rows[0] !== undefined) deltaFloor.looked(rows[0].database_ms, rows[0].first_ms);
}
