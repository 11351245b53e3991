import type { Queryable } from '@parley/runtime';
import { eachOf, isThatOne, lockedDeliveries } from './row-locks.cross-tenant.sql';

/** A recovery claimed for one step. Its row is locked. */
export interface RunningRecovery {
  readonly id: string;
  readonly organization_id: string;
  readonly endpoint_id: string;
  readonly since: Date;
  readonly generation: number;
  readonly with_failed: boolean;
  readonly position: string;
  readonly last_position: string;
  /** Whether the endpoint accepts deliveries. */
  readonly active: boolean;
}

/** Claims the recovery that was processed least recently; those locked by other replicas are skipped. */
export async function claimRecovery(tx: Queryable): Promise<RunningRecovery | undefined> {
  const { rows } = await tx.query<RunningRecovery>({
    name: 'recovery-claim',
    text: `select recovery.id, recovery.organization_id, endpoint_id, since, recovery.generation, with_failed, position,
        last_position, exists (select 1 from endpoints where endpoints.id = endpoint_id and endpoints.status = 'active'
          and coalesce(endpoints.deleted_at, 'infinity') = 'infinity') as active
      from recoveries recovery where recovery.status = 'running'
      order by examined, recovery.id limit 1 for update of recovery skip locked`,
    values: [],
  });
  return rows[0];
}

/** Whether a recovery sends a delivery again. No index supports the comparison, so that every plan finds the rows by id. */
const recoverable = `coalesce(status, '') = any(case when $8 then array['failed', 'parked'] else array['parked'] end)`;

export interface RecoveryStep {
  readonly examined: number;
  readonly recovered: number;
  /** The id of the last delivery examined; null if there was none left. */
  readonly position: string | null;
}

/**
 * Examines the next deliveries of the endpoint in the order of their ids. Those that failed or were parked are requeued: they are due now, and their retry
 * schedule restarts.
 */
export async function recoverNext(tx: Queryable, recovery: RunningRecovery, rows: number): Promise<RecoveryStep> {
  const { rows: steps } = await tx.query<RecoveryStep>({
    name: 'recovery-step',
    text: `with looked as materialized (
        select id, event_id, status, created_at from deliveries
        where organization_id = $1 and endpoint_id = $2 and id > $3 and id <= $4 order by id limit $5),
      wanted as materialized (select id, event_id from looked where created_at >= $7 and ${recoverable}),
      ${lockedDeliveries('wanted', recoverable)},
      recovered as (
        update deliveries set status = 'pending', next_attempt_at = now(), finished_at = null,
          earlier_attempts = attempt_count, generation = $6
        from ${eachOf('locked')} where ${isThatOne} and ${recoverable} returning 1)
      select (select count(*) from looked)::integer as examined, (select count(*) from recovered)::integer as recovered,
        (select max(id) from looked) as position`,
    values: [
      recovery.organization_id,
      recovery.endpoint_id,
      recovery.position,
      recovery.last_position,
      rows,
      recovery.generation,
      recovery.since,
      recovery.with_failed,
    ],
  });
  return steps[0] ?? { examined: 0, recovered: 0, position: null };
}

/** Stores the progress of the recovery and makes the endpoint's queue due for polling. */
export async function saveStep(
  tx: Queryable,
  recovery: RunningRecovery,
  step: RecoveryStep,
  status: 'running' | 'completed' | 'stopped',
): Promise<void> {
  await tx.query({
    name: 'recovery-save',
    text: `with queue as (update endpoint_queues set due_at = now() where endpoint_id = $2 and $6)
      update recoveries set position = coalesce($3, position), examined = examined + $4, recovered = recovered + $5,
        status = $7, finished_at = case when $7 <> 'running' then now() end where id = $1`,
    values: [
      recovery.id,
      recovery.endpoint_id,
      step.position,
      step.examined,
      step.recovered,
      step.recovered > 0,
      status,
    ],
  });
}
