import type { Queryable } from '@parley/runtime';

/** A lease on settling a scheduled call. It is valid until it expires or another process takes the call. */
export interface SettlementLease {
  readonly callId: string;
  readonly organizationId: string;
  /** The lease's expiry with microseconds. It identifies the lease, because no other process writes the same value. */
  readonly checkAt: string;
}

/** Called when a scheduled call is canceled or becomes a regular one; the caller has locked the call. */
export async function deleteScheduled(tx: Queryable, organizationId: string, callId: string): Promise<void> {
  await tx.query({
    name: 'scheduled-delete',
    text: 'delete from scheduled_calls where organization_id = $1 and call_id = $2',
    values: [organizationId, callId],
  });
}

/**
 * Ends a settlement; the caller has locked the call. Returns false if the lease has expired or another process has taken the call. The caller must then write
 * nothing: its decision may be based on outdated data.
 */
export async function endSettlementLease(
  tx: Queryable,
  { organizationId, callId, checkAt }: SettlementLease,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'scheduled-settle',
    text: `delete from scheduled_calls where organization_id = $1 and call_id = $2
             and check_at = $3::timestamptz and check_at > clock_timestamp()`,
    values: [organizationId, callId, checkAt],
  });
  return rowCount === 1;
}

export interface Postponement {
  /** The agent whose calls lack capacity; empty: calls of every agent do. */
  readonly agentId: string;
  /** Calls that have waited longer than this are settled one by one and not postponed together. */
  readonly longestWaitSeconds: number;
  readonly seconds: number;
}

/**
 * Postpones a call for which there is no capacity, together with other due calls that wait for the same capacity. Rows locked by others are skipped. Does
 * nothing if the lease is over.
 */
export async function postponeForRoom(
  db: Queryable,
  { organizationId, callId, checkAt }: SettlementLease,
  wait: Postponement,
): Promise<void> {
  await db.query({
    name: 'scheduled-wait',
    text: `update scheduled_calls s set check_at = now() + make_interval(secs => $4), waiting_since = coalesce(waiting_since, now())
           from (select call_id from scheduled_calls
                 where organization_id = $1 and ($3 = '' or agent_id = $3)
                   and exists (select from scheduled_calls own
                     where own.organization_id = $1 and own.call_id = $2 and own.check_at = $6::timestamptz)
                   and (call_id = $2 and check_at = $6::timestamptz or check_at <= now()
                     and (waiting_since is null or waiting_since > now() - make_interval(secs => $5)))
                 for update skip locked) due
           where s.organization_id = $1 and s.call_id = due.call_id`,
    values: [organizationId, callId, wait.agentId, wait.seconds, wait.longestWaitSeconds, checkAt],
  });
}

/** Retries the call after a delay because a dependency was unavailable. Its waiting time for capacity and the turns of other organizations do not change. */
export async function recheckLater(
  db: Queryable,
  { organizationId, callId, checkAt }: SettlementLease,
  seconds: number,
): Promise<void> {
  await db.query({
    name: 'scheduled-again',
    text: `update scheduled_calls set check_at = now() + make_interval(secs => $3)
           where organization_id = $1 and call_id = $2 and check_at = $4::timestamptz`,
    values: [organizationId, callId, seconds, checkAt],
  });
}

/**
 * The number of an organization's scheduled calls. The result is exact if the caller has locked the counter row, because every scheduling writes that row.
 */
export async function countScheduled(tx: Queryable, organizationId: string): Promise<number> {
  const { rows } = await tx.query<{ scheduled: number }>({
    name: 'scheduled-count',
    text: 'select count(*)::int as scheduled from scheduled_calls where organization_id = $1',
    values: [organizationId],
  });
  return rows[0]?.scheduled ?? 0;
}
