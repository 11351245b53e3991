import { DueFloor, systemClock, type Queryable } from '@parley/runtime';
import type { RollupDelta } from './rollup.rules';

/** The time before which no delta is left. `raiseDeltaFloor` moves it. */
export const deltaFloor = new DueFloor(systemClock);

/** The columns of `call_rollups` after the organization; `call_rollup_deltas` has them too. */
const columns = `hour, project_id, agent_id, direction, channel, carrier, status, ended_reason, calls, answered, duration_seconds,
  cost_micros, turn_latencies`;

/**
 * Inserts an addition to the rollup of an hour, as a row of its own: an update of the rollup would make calls that end together wait for each other, and visit
 * every version of the row that vacuum has not removed. `foldDeltas` adds it to the rollup soon.
 */
export async function addDelta(tx: Queryable, organizationId: string, delta: RollupDelta): Promise<void> {
  await tx.query({
    name: 'call-rollup-add',
    text: `insert into call_rollup_deltas (organization_id, ${columns})
           values ($1, date_trunc('hour', $2::timestamptz, 'UTC'), $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
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

/**
 * SQL query for the rollups of the organization `$1` in a period with the deltas that are not added to them yet. A sum over its rows counts each call once,
 * because one transaction moves a delta into its rollup.
 * @param from an SQL parameter, as are the others
 * @param floor the value of `deltaFloor`
 */
export const rollupsOf = (from: string, to: string, floor: string): string => `
  select organization_id, ${columns} from call_rollups where organization_id = $1 and hour >= ${from} and hour < ${to}
  union all
  select organization_id, ${columns} from call_rollup_deltas
  where organization_id = $1 and added_at >= ${floor}::timestamptz and hour >= ${from} and hour < ${to}`;
