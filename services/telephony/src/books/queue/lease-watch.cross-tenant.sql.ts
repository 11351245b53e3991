import type { Queryable } from '@parley/runtime';
import { workersOf } from './leases.cross-tenant.sql';

/** The duration of leases, and after how much time without a request from any worker a single silent worker is no longer considered lost. */
export interface LeaseTimes {
  readonly leaseMs: number;
  readonly silenceMs: number;
}

/** After the clock was set back, stored times may lie in the future. A difference up to this can also result from the commit order of two transactions. */
const future = `interval '1 second'`;

/** Whether worker requests have arrived during a whole lease without a long pause, by the database's clock; uses parameters $1 and $2. */
const heard = `(w.heard_at > now() - make_interval(secs => $2::float8) and w.heard_at <= now() + ${future}
  and w.heard_since <= now() - make_interval(secs => $1::float8))`;

const seconds = ({ leaseMs, silenceMs }: LeaseTimes): number[] => [leaseMs / 1000, silenceMs / 1000];

/**
 * Records that a worker sent a request, at most once per `everyMs` over all replicas. `heard_since`, the start of the time in which worker requests arrived
 * without a long pause, is reset after such a pause and after the clock was set back.
 */
export async function noteHeard(db: Queryable, { silenceMs }: LeaseTimes, everyMs: number): Promise<void> {
  await db.query({
    name: 'lease-watch-note',
    text: `update lease_watch set heard_at = clock_timestamp(),
             heard_since = case when heard_at < clock_timestamp() - make_interval(secs => $1::float8)
               or heard_at > clock_timestamp() + ${future} then clock_timestamp() else heard_since end
           where only_row and (heard_at < clock_timestamp() - make_interval(secs => $2::float8)
             or heard_at > clock_timestamp() + ${future})`,
    values: [silenceMs / 1000, everyMs / 1000],
  });
}

export interface LeaseProbe {
  /** Whether a lease has expired that may be reaped. Leases of media gateways last as long as a call and need no heartbeats. */
  readonly expired: boolean;
  readonly heard: boolean;
  /** The database's clock, milliseconds since 1970. */
  readonly databaseMs: number;
}

export async function probeLeases(db: Queryable, times: LeaseTimes): Promise<LeaseProbe> {
  const { rows } = await db.query<{ expired: boolean; heard: boolean; database_ms: number }>({
    name: 'lease-watch-probe',
    text: `select ${heard} as heard, extract(epoch from clock_timestamp())::float8 * 1000 as database_ms,
             (select 1 from jobs j where j.state = 'leased' and j.lease_expires_at < now()
                and (${heard} or j.kind = 'inbound') limit 1) is not null as expired
           from lease_watch w where w.only_row`,
    values: seconds(times),
  });
  const [row] = rows;
  if (row === undefined) throw new Error('lease_watch has no row');
  return { expired: row.expired, heard: row.heard, databaseMs: row.database_ms };
}

/** First key of the advisory lock that serializes reapers until their commit; the second is the schema. */
const reaperSpace = 7403;

/**
 * Tries to become the only transaction that reaps leases; false if another one is doing so. If this process stalls during the transaction, the server rolls it
 * back, so that no outdated decision is committed later.
 */
export async function takeReaping(tx: Queryable, idleMs: number): Promise<boolean> {
  const { rows } = await tx.query<{ taken: boolean }>({
    name: 'lease-watch-take',
    text: `select pg_try_advisory_xact_lock(${reaperSpace}, hashtext(current_schema())) as taken,
             set_config('idle_in_transaction_session_timeout', $1, true)`,
    values: [String(Math.ceil(idleMs))],
  });
  return rows[0]?.taken ?? false;
}

/** The leases of one set of workers: the hosted workers, or one organization's own. */
export interface LeaseCount {
  /** The organization whose own workers have the leases; empty: hosted workers. */
  readonly workersOf: string;
  readonly leases: number;
  /** Leases reaped by any replica in the last minute whose call was ended. */
  readonly reaped: number;
}

export interface ReapState {
  readonly heard: boolean;
  readonly counts: readonly LeaseCount[];
}

/** Must be called after `takeReaping`, so that the snapshot includes the previous reaper's commit. */
export async function readReapState(tx: Queryable, times: LeaseTimes): Promise<ReapState> {
  const { rows } = await tx.query<{ heard: boolean; workers_of: string; leases: number; reaped: number }>({
    name: 'lease-watch-state',
    text: `select ${heard} as heard, counted.workers_of, sum(counted.leases)::integer as leases, sum(counted.reaped)::integer as reaped
           from lease_watch w, (
             select ${workersOf('j')} as workers_of, 1 as leases, 0 as reaped from jobs j where j.state = 'leased'
             union all
             select r.workers_of, 0, 1 from lease_reaps r where r.reaped_at > now() - interval '1 minute') counted
           where w.only_row group by 1, 2`,
    values: seconds(times),
  });
  const counts = rows.map(({ workers_of: workersOf, leases, reaped }) => ({ workersOf, leases, reaped }));
  return { heard: rows[0]?.heard ?? false, counts };
}

/** Counts a reaped lease whose call was ended, and deletes counts that are no longer needed. */
export async function countReap(tx: Queryable, workersOf: string): Promise<void> {
  await tx.query({
    name: 'lease-watch-count',
    text: `with old as (delete from lease_reaps where reaped_at < now() - interval '10 minutes')
           insert into lease_reaps (reaped_at, workers_of) values (clock_timestamp(), $1)`,
    values: [workersOf],
  });
}
