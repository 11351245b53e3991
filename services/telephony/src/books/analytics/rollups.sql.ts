import type { Queryable } from '@parley/runtime';
import type { RollupDelta } from './rollup.rules';

/** The primary key of `call_rollups` after the organization. */
const key = 'hour, project_id, agent_id, direction, channel, carrier, status, ended_reason';

/** Adds to the rollup of an hour. Its row is locked until the end of the transaction. */
export async function addToRollup(tx: Queryable, organizationId: string, delta: RollupDelta): Promise<void> {
  await tx.query({
    name: 'call-rollup-add',
    text: `insert into call_rollups as kept (organization_id, ${key}, calls, answered, duration_seconds, cost_micros, turn_latencies)
           values ($1, date_trunc('hour', $2::timestamptz, 'UTC'), $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
           on conflict (organization_id, ${key}) do update set calls = kept.calls + excluded.calls, answered = kept.answered + excluded.answered,
             duration_seconds = kept.duration_seconds + excluded.duration_seconds, cost_micros = kept.cost_micros + excluded.cost_micros,
             turn_latencies = case when cardinality(excluded.turn_latencies) = 0 then kept.turn_latencies else array(
               select coalesce(one, 0) + coalesce(other, 0)
               from unnest(kept.turn_latencies, excluded.turn_latencies) with ordinality as pairs (one, other, nth) order by nth) end`,
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
