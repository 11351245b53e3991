import type pg from 'pg';

/** What two hours of calls do to the rows that are written most, a call. Counted at the calls of this repository's engine (docs/capacity.md). */
export const updatesOfCall = {
  /** A call of three minutes, whose engine is heard every five seconds. */
  leases: 36,
  /** Of its organization's row: admission, claim, end. */
  controls: 3,
  /** Of its organization's queue: a claim. */
  queues: 1,
} as const;

/** Calls in progress at once: their jobs change places in turn, as heartbeats write them. */
const live = 1_000;

/**
 * Leaves behind in telephony's queue and contended rows what so many calls of one organization leave: jobs that waited, were leased, kept their lease and are over,
 * and one version of the organization's rows for each time that they changed. By SQL, because it would take the platform hours; every update is one
 * that the service's own statements make, of the same columns and so of the same indexes.
 */
export async function ageTelephony(db: pg.Client, organizationId: string, calls: number): Promise<void> {
  const { rows } = await db.query<{ first: string }>(
    `select coalesce(max(substr(job_id, 10)::bigint), 0) as first from telephony.jobs where job_id like 'job\\_aged%'`,
  );
  const first = Number(rows[0]?.first);
  for (let from = first; from < first + calls; from += live) {
    const to = Math.min(from + live, first + calls);
    const id = (prefix: string): string => `'${prefix}' || lpad(n::text, 20, '0')`;
    const range = `job_id between 'job_aged' || lpad(${from + 1}::text, 20, '0') and 'job_aged' || lpad(${to}::text, 20, '0')`;
    await db.query(
      // No queue has them: they are leased in the statement that follows, to a worker that does not exist.
      `begin; insert into telephony.jobs (organization_id, job_id, call_id, agent_id, kind, available_at, dialer)
       select '${organizationId}', ${id('job_aged')}, ${id('call_aged')}, 'agt_aged', 'call', clock_timestamp(), 'hosted'
       from generate_series(${from + 1}, ${to}) n;
       update telephony.jobs set state = 'leased', epoch = epoch + 1, worker_id = 'aged',
         lease_expires_at = clock_timestamp() + interval '15 seconds' where ${range}; commit`,
    );
    for (let beat = 0; beat < updatesOfCall.leases; beat += 1) {
      await db.query(
        `update telephony.jobs set lease_expires_at = clock_timestamp() + interval '15 seconds' where ${range}`,
      );
    }
    await db.query(
      `update telephony.jobs set state = 'done', lease_expires_at = null, finished_at = clock_timestamp() where ${range}`,
    );
  }
  const { controls, queues } = updatesOfCall;
  await ageRow(db, 'telephony.organization_controls', 'revision = revision + 1', organizationId, controls * calls);
  await ageRow(
    db,
    'telephony.organization_queues',
    'last_served_at = clock_timestamp()',
    organizationId,
    queues * calls,
  );
}

/** Changes a row so many times. Each time it is found by its place: by its key each would walk over all versions before. */
async function ageRow(
  db: pg.Client,
  table: string,
  change: string,
  organizationId: string,
  times: number,
): Promise<void> {
  const step = 500;
  for (let done = 0; done < times; done += step) {
    await db.query(`do $$ declare at tid; begin
      select ctid into at from ${table} where organization_id = '${organizationId}' for update;
      for n in 1..${Math.min(step, times - done)} loop
        update ${table} set ${change} where ctid = at returning ctid into at;
      end loop; end $$`);
  }
}

/** What vacuum has still to remove, of the tables that hold most of it. */
export async function deadRows(db: pg.Client): Promise<object[]> {
  const { rows } = await db.query<object>(
    `select schemaname || '.' || relname as table, n_live_tup::int as live, n_dead_tup::int as dead,
       round(pg_total_relation_size(relid) / 1e6)::int as mb,
       case when n_tup_upd > 0 then round(n_tup_hot_upd::numeric / n_tup_upd, 2)::float8 end as hot
     from pg_stat_user_tables order by n_dead_tup desc limit 12`,
  );
  return rows;
}
