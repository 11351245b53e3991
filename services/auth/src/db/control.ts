import type { Queryable } from '@parley/runtime';
import type { MaintenanceRecord } from '../domain/records';
import { onlyRow, timeText } from './rows';

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
  readonly revoked_key_ids: string[];
  readonly suspended_organization_ids: string[];
  readonly suspended_agent_ids: string[];
}

export interface ControlSnapshot {
  readonly epoch: string;
  /** The database's clock, milliseconds since 1970. */
  readonly nowMs: string;
  readonly revokedKeyIds: string[];
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
 * The control state in one statement, hence one snapshot: whatever the epoch counts is in it. An epoch later than ours
 * was given out by a database that has been replaced since; it counts as 0.
 */
export async function readControlState(db: Queryable, sinceEpoch: string): Promise<ControlSnapshot> {
  const result = await db.query<ControlRow>({
    name: 'read-control-state',
    text: `select control_epoch.epoch::text as epoch,
             floor(extract(epoch from clock_timestamp()) * 1000)::bigint::text as now_ms,
             array(select key_id from api_keys
                   where revoked_epoch > case when $1::bigint > control_epoch.epoch then 0 else $1::bigint end
                   order by revoked_epoch) as revoked_key_ids,
             array(select organization_id from organizations where status = 'suspended') as suspended_organization_ids,
             array(select agent_id from suspended_agents where suspended) as suspended_agent_ids,
             ${maintenanceColumns}
           from control_epoch cross join maintenance`,
    values: [sinceEpoch],
  });
  const row = onlyRow(result);
  return {
    epoch: row.epoch,
    nowMs: row.now_ms,
    revokedKeyIds: row.revoked_key_ids,
    suspendedOrganizationIds: row.suspended_organization_ids,
    suspendedAgentIds: row.suspended_agent_ids,
    maintenance: maintenanceOfRow(row),
  };
}

/** Counts a change of the control state. Locks the one epoch row until the commit, so it comes last in a transaction. */
export async function bumpEpoch(tx: Queryable): Promise<void> {
  await tx.query({ name: 'bump-epoch', text: 'update control_epoch set epoch = epoch + 1' });
}

export async function readMaintenance(db: Queryable): Promise<MaintenanceRecord> {
  const result = await db.query<MaintenanceRow>({
    name: 'read-maintenance',
    text: `select ${maintenanceColumns} from maintenance`,
  });
  return maintenanceOfRow(onlyRow(result));
}

export async function writeMaintenance(tx: Queryable, window: MaintenanceRecord): Promise<MaintenanceRecord> {
  const result = await tx.query<MaintenanceRow>({
    name: 'write-maintenance',
    text: `update maintenance set active = $1, retry_after_seconds = $2, starts_at = nullif($3, '')::timestamptz,
             ends_at = nullif($4, '')::timestamptz, message = $5
           returning ${maintenanceColumns}`,
    values: [window.active, window.retryAfterSeconds, window.startsAt, window.endsAt, window.message],
  });
  return maintenanceOfRow(onlyRow(result));
}

/**
 * Notes that an operator suspended or reinstated an agent, as of `actedAt`. True when that changed anything: a
 * redelivered or overtaken act does not.
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
