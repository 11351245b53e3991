import type { Queryable } from '@parley/runtime';
import type { Billing, OrganizationLimits, OrganizationState, StateChange } from './organization-state.rules';
import { queueLock, queueRow } from '../queue/organization-queue.sql';

/** The columns of a counter row `c`. `drain_per_second` is computed over the current half-minute window and the previous one. */
export const stateColumns = `c.revision, c.billing, c.queue_cap, c.live_calls_cap, c.calls_per_minute, c.calls_per_hour,
  c.daily_spend_cap_micros, c.queued, c.live, c.recent, c.spend_day::text as spend_day, c.spend_micros, c.balance_micros,
  c.reserved_micros, case when c.drain_began < now() - interval '60 seconds' then 0
    else (c.drained + c.drained_before) / (30 + extract(epoch from now() - c.drain_began)) end::float8 as drain_per_second`;

/** As returned by pg: bigint is text. */
export interface StateRow {
  readonly revision: string;
  readonly billing: Billing | null;
  readonly queue_cap: number | null;
  readonly live_calls_cap: number | null;
  readonly calls_per_minute: number | null;
  readonly calls_per_hour: number | null;
  readonly daily_spend_cap_micros: string | null;
  readonly queued: number;
  readonly live: number;
  readonly recent: string;
  readonly spend_day: string;
  readonly spend_micros: string;
  readonly balance_micros: string;
  readonly reserved_micros: string;
  readonly drain_per_second: number;
}

/** Undefined until the organization's billing mode is known. */
export function stateOf(row: StateRow): OrganizationState | undefined {
  if (row.billing === null) return undefined;
  return {
    revision: Number(row.revision),
    billing: row.billing,
    limits: {
      queueCap: row.queue_cap,
      liveCallsCap: row.live_calls_cap,
      callsPerMinute: row.calls_per_minute,
      callsPerHour: row.calls_per_hour,
      dailySpendCapMicros: row.daily_spend_cap_micros === null ? null : Number(row.daily_spend_cap_micros),
    },
    queued: row.queued,
    live: row.live,
    recent: row.recent,
    spendDay: row.spend_day,
    spendMicros: Number(row.spend_micros),
    balanceMicros: Number(row.balance_micros),
    reservedMicros: Number(row.reserved_micros),
    drainPerSecond: row.drain_per_second,
  };
}

export interface LockedState {
  readonly state: OrganizationState;
  /** The database's clock. */
  readonly now: Date;
}

/**
 * Locks the queue and then the counter row until the transaction ends; undefined if the counter row does not exist yet (see `openState`). Batches lock in
 * the same order. In the opposite order, a transaction that has the counter row and inserts a queue that a batch is inserting too would deadlock with that
 * batch.
 */
export async function lockQueueAndState(tx: Queryable, organizationId: string): Promise<LockedState | undefined> {
  await tx.query({
    name: 'organization-queue-take',
    text: `with queue_lock as materialized (select ${queueLock('$1::text')}) ${queueRow('$1::text', 'queue_lock')}`,
    values: [organizationId],
  });
  return lockState(tx, organizationId);
}

/** Locks the counter row until the transaction ends and returns it; the caller has already locked the queue. Undefined if the row does not exist yet. */
export async function lockState(tx: Queryable, organizationId: string): Promise<LockedState | undefined> {
  const { rows } = await tx.query<StateRow & { readonly now: Date }>({
    name: 'state-lock',
    text: `select ${stateColumns}, clock_timestamp() as now from organization_controls c where c.organization_id = $1 for update`,
    values: [organizationId],
  });
  const [row] = rows;
  const state = row && stateOf(row);
  return row === undefined || state === undefined ? undefined : { state, now: row.now };
}

/** Creates the counter row with the organization's billing mode if it is missing. Later changes of the mode are made by `applyBilling`. */
export async function openState(
  db: Queryable,
  organizationId: string,
  billing: Billing,
  billingEpoch: string,
): Promise<void> {
  await db.query({
    name: 'state-open',
    text: `insert into organization_controls as c (organization_id, billing, billing_epoch) values ($1, $2, $3)
           on conflict (organization_id) do update set billing = excluded.billing, billing_epoch = excluded.billing_epoch
           where c.billing is null`,
    values: [organizationId, billing, billingEpoch],
  });
}

export interface ReadState {
  readonly state: OrganizationState;
  /** Incremented by each change of its limits. */
  readonly limitsRevision: number;
  readonly limitsUpdatedAt: Date;
}

/** The current counter row, without a lock. */
export async function readState(db: Queryable, organizationId: string): Promise<ReadState | undefined> {
  const { rows } = await db.query<StateRow & { readonly limits_revision: number; readonly limits_updated_at: Date }>({
    name: 'state-read',
    text: `select ${stateColumns}, c.limits_revision, c.limits_updated_at from organization_controls c where c.organization_id = $1`,
    values: [organizationId],
  });
  const [row] = rows;
  const state = row && stateOf(row);
  if (row === undefined || state === undefined) return undefined;
  return { state, limitsRevision: row.limits_revision, limitsUpdatedAt: row.limits_updated_at };
}

/** Replaces the limits if their revision still is `limitsRevision`. Increments the row's revision, so that no batch decided with the old limits is written. */
export async function writeLimits(
  tx: Queryable,
  organizationId: string,
  limitsRevision: number,
  limits: OrganizationLimits,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'limits-write',
    text: `update organization_controls set queue_cap = $3, live_calls_cap = $4, calls_per_minute = $5,
             calls_per_hour = $6, daily_spend_cap_micros = $7, revision = revision + 1,
             limits_revision = limits_revision + 1, limits_updated_at = clock_timestamp()
           where organization_id = $1 and limits_revision = $2`,
    values: [
      organizationId,
      limitsRevision,
      limits.queueCap,
      limits.liveCallsCap,
      limits.callsPerMinute,
      limits.callsPerHour,
      limits.dailySpendCapMicros,
    ],
  });
  return rowCount === 1;
}

/** Reserves capacity for an approved call. The caller has locked the row (`lockState`). */
export async function takeRoom(tx: Queryable, organizationId: string, change: StateChange): Promise<void> {
  await tx.query({
    name: 'state-take',
    text: `update organization_controls set revision = revision + 1, queued = queued + $2, live = live + $3,
             reserved_micros = reserved_micros + $4::bigint,
             spend_micros = case when spend_day = $6::date then spend_micros else 0 end + $5::bigint,
             spend_day = $6::date, recent = $7
           where organization_id = $1`,
    values: [
      organizationId,
      change.queued,
      change.live,
      change.reservedMicros,
      change.spendMicros,
      change.spendDay,
      change.recent,
    ],
  });
}

/** Stores in a call whether its reservation was made from a prepaid wallet. The caller has locked the counter row. */
export async function markReserved(tx: Queryable, organizationId: string, callId: string): Promise<void> {
  await tx.query({
    name: 'hold-mark',
    text: `update calls set hold_reserved = coalesce(state.billing = 'prepaid', false) from organization_controls state
           where state.organization_id = $1 and calls.organization_id = $1 and call_id = $2 and hold_micros is not null`,
    values: [organizationId, callId],
  });
}
