import type { Queryable } from '@parley/runtime';
import { workersOf } from '../queue';

/** How long leases last, and how long all workers may be silent before the silence of a single one proves nothing. */
export interface LeaseTimes {
  readonly leaseMs: number;
  readonly silenceMs: number;
}

/** If the clock was set back, stored times lie in the future; up to this much can also come from the commit order of two transactions. */
const future = `interval '1 second'`;

/** Whether workers were heard without a long pause for a whole lease, by the database's clock; parameters $1 and $2. */
const heard = `(w.heard_at > now() - make_interval(secs => $2::float8) and w.heard_at <= now() + ${future}
  and w.heard_since <= now() - make_interval(secs => $1::float8))`;

const seconds = ({ leaseMs, silenceMs }: LeaseTimes): number[] => [leaseMs / 1000, silenceMs / 1000];

/**
 * Notes that a worker was heard, at most once each `everyMs` over all replicas. After a silence, and after the clock was set back, the time
 * during which workers have been heard begins again.
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
  /** A lease has expired that may be reaped: leases of media gateways last as long as a call and need no heartbeats. */
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
 * Makes this transaction the only one that reaps; false where another one does. The server rolls it back when its process stops in the midst of
 * it, so that no old decision is committed later.
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

/** The leases of one worker set: the hosted workers, or one organization's own. */
export interface LeaseCount {
  /** The organization whose own workers have them; empty: hosted workers. */
  readonly workersOf: string;
  readonly leases: number;
  /** Leases whose call some replica ended in the last minute. */
  readonly reaped: number;
}

export interface ReapState {
  readonly heard: boolean;
  readonly counts: readonly LeaseCount[];
}

/** Call after `takeReaping`: only then does the snapshot include the previous reaper's commit. */
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

/** Counts one reaped lease whose call was ended, and deletes counts that have expired. */
export async function countReap(tx: Queryable, workersOf: string): Promise<void> {
  await tx.query({
    name: 'lease-watch-count',
    text: `with old as (delete from lease_reaps where reaped_at < now() - interval '10 minutes')
           insert into lease_reaps (reaped_at, workers_of) values (clock_timestamp(), $1)`,
    values: [workersOf],
  });
}
