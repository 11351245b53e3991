import type { Queryable } from '@parley/runtime';
import type { MaintenanceRecord } from './maintenance.rules';
import { onlyRow, timeText } from '../rows.rules';

interface MaintenanceRow {
  readonly active: boolean;
  readonly retry_after_seconds: number;
  readonly starts_at: Date | null;
  readonly ends_at: Date | null;
  readonly message: string;
}

interface ControlRow extends MaintenanceRow {
  readonly epoch: string;
  readonly now_ms: string;
  readonly complete: boolean;
  readonly epochs: string[];
  readonly kinds: ChangeKind[];
  readonly subjects: string[];
  readonly suspended_organization_ids: string[];
  readonly suspended_agent_ids: string[];
}

export type ChangeKind =
  'key_revoked' | 'organization_suspended' | 'organization_reinstated' | 'agent_suspended' | 'agent_reinstated';

export interface ControlChange {
  readonly kind: ChangeKind;
  /** The id of the key, organization or agent. */
  readonly subject: string;
}

export interface ControlChanges {
  /** The newest epoch. It is larger than the last one listed if there are more changes. */
  readonly epoch: string;
  /** The database's clock, milliseconds since 1970. */
  readonly nowMs: string;
  /** True if the changes since the requested epoch are not all stored any more: the complete suspensions are returned instead. */
  readonly complete: boolean;
  /** Ordered by epoch. */
  readonly changes: readonly (ControlChange & { readonly epoch: string })[];
  /** Empty unless `complete`. */
  readonly suspendedOrganizationIds: string[];
  readonly suspendedAgentIds: string[];
  readonly maintenance: MaintenanceRecord;
}

const maintenanceColumns = 'active, retry_after_seconds, starts_at, ends_at, message';

const maintenanceOfRow = (row: MaintenanceRow): MaintenanceRecord => ({
  active: row.active,
  retryAfterSeconds: row.retry_after_seconds,
  startsAt: timeText(row.starts_at),
  endsAt: timeText(row.ends_at),
  message: row.message,
});

/**
 * Returns at most `limit` changes after an epoch. A single statement reads them in one snapshot, so it includes every change up to the returned epoch. The
 * complete state is read only if the changes are no longer stored: for a caller without any state, for one that has not polled for a long time, and for an
 * epoch that was issued by a database that has since been replaced.
 */
export async function readControlChanges(db: Queryable, sinceEpoch: string, limit: number): Promise<ControlChanges> {
  const result = await db.query<ControlRow>({
    name: 'read-control-changes',
    text: `select state.epoch::text as epoch, state.complete,
             floor(extract(epoch from clock_timestamp()) * 1000)::bigint::text as now_ms,
             changes.epochs, changes.kinds, changes.subjects,
             case when state.complete
                  then array(select organization_id from organizations where status = 'suspended')
                  else '{}' end as suspended_organization_ids,
             case when state.complete
                  then array(select agent_id from suspended_agents where suspended)
                  else '{}' end as suspended_agent_ids,
             ${maintenanceColumns}
           from (select epoch, ($1::bigint = 0 or $1::bigint < complete_since or $1::bigint > epoch) as complete
                 from control_epoch) state
           cross join maintenance
           cross join lateral (
             select coalesce(array_agg(epoch::text order by epoch), '{}') as epochs,
                    coalesce(array_agg(kind order by epoch), '{}') as kinds,
                    coalesce(array_agg(subject order by epoch), '{}') as subjects
             from (select epoch, kind, subject from control_changes
                   where epoch > case when state.complete then 9223372036854775807 else $1::bigint end
                   order by epoch limit $2) newer
           ) changes`,
    values: [sinceEpoch, limit],
  });
  const row = onlyRow(result);
  return {
    epoch: row.epoch,
    nowMs: row.now_ms,
    complete: row.complete,
    changes: row.epochs.map((epoch, index) => ({
      epoch,
      kind: row.kinds[index] ?? 'key_revoked',
      subject: row.subjects[index] ?? '',
    })),
    suspendedOrganizationIds: row.suspended_organization_ids,
    suspendedAgentIds: row.suspended_agent_ids,
    maintenance: maintenanceOfRow(row),
  };
}

/**
 * Increments the control epoch and stores the change under it. A change of the maintenance window is not stored, because every poll reads the window. The
 * statement locks the single epoch row until the commit, so it has to be the last one of a transaction.
 */
export async function bumpEpoch(tx: Queryable, change?: ControlChange): Promise<void> {
  if (change === undefined) {
    await tx.query({ name: 'bump-epoch', text: 'update control_epoch set epoch = epoch + 1' });
    return;
  }
  await tx.query({
    name: 'bump-epoch-by-change',
    text: `with bump as (update control_epoch set epoch = epoch + 1 returning epoch)
           insert into control_changes (epoch, kind, subject) select epoch, $1, $2 from bump`,
    values: [change.kind, change.subject],
  });
}

/**
 * Deletes at most `limit` changes that are older than `ageMs`, and records the epoch from which on all changes are still stored.
 * @returns the number of deleted changes
 */
export async function deleteOldChanges(db: Queryable, ageMs: number, limit: number): Promise<number> {
  const { rows } = await db.query<{ deleted: number }>({
    name: 'delete-old-control-changes',
    text: `with old as (
             delete from control_changes where epoch in (
               select epoch from control_changes where changed_at < now() - $1 * interval '1 millisecond'
               order by changed_at limit $2)
             returning epoch
           ), newest as (select max(epoch) as epoch, count(*)::integer as deleted from old)
           update control_epoch set complete_since = greatest(complete_since, newest.epoch) from newest
           where newest.deleted > 0 returning newest.deleted`,
    values: [ageMs, limit],
  });
  return rows[0]?.deleted ?? 0;
}

export interface TimedMaintenance {
  readonly maintenance: MaintenanceRecord;
  /** The database's clock. */
  readonly now: Date;
}

type TimedRow = MaintenanceRow & { readonly now: Date };

const timed = (row: TimedRow): TimedMaintenance => ({ maintenance: maintenanceOfRow(row), now: row.now });

export async function readMaintenance(db: Queryable): Promise<TimedMaintenance> {
  const result = await db.query<TimedRow>({
    name: 'read-maintenance',
    text: `select ${maintenanceColumns}, clock_timestamp() as now from maintenance`,
  });
  return timed(onlyRow(result));
}

export async function writeMaintenance(tx: Queryable, window: MaintenanceRecord): Promise<TimedMaintenance> {
  const result = await tx.query<TimedRow>({
    name: 'write-maintenance',
    text: `update maintenance set active = $1, retry_after_seconds = $2, starts_at = nullif($3, '')::timestamptz,
             ends_at = nullif($4, '')::timestamptz, message = $5
           returning ${maintenanceColumns}, clock_timestamp() as now`,
    values: [window.active, window.retryAfterSeconds, window.startsAt, window.endsAt, window.message],
  });
  return timed(onlyRow(result));
}

/**
 * Records that an operator suspended or reinstated an agent at `actedAt`.
 * @returns false if nothing changed: the event was redelivered, or a later one was already recorded
 */
export async function noteAgentSuspension(
  tx: Queryable,
  organizationId: string,
  agentId: string,
  suspended: boolean,
  actedAt: string,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'note-agent-suspension',
    text: `insert into suspended_agents as known (organization_id, agent_id, suspended, acted_at) values ($1, $2, $3, $4)
           on conflict (agent_id) do update set suspended = excluded.suspended, acted_at = excluded.acted_at
           where known.organization_id = excluded.organization_id and known.acted_at < excluded.acted_at`,
    values: [organizationId, agentId, suspended, actedAt],
  });
  return rowCount > 0;
}
