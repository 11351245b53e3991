import type { Queryable } from '@parley/runtime';
import type { Call } from '../calls/call.rules';
import { queueFloor } from './queue-floor.sql';
import { callOf, selectedCall, type CallRow } from '../calls/call-rows.sql';

/** The worker of a claim, and the jobs that it may claim. */
export interface ClaimScope {
  /** Empty: jobs of any organization for hosted workers; otherwise jobs for the organization's own workers. */
  readonly organizationId: string;
  readonly kinds: readonly string[];
  readonly workerId: string;
  readonly leaseSeconds: number;
  /** Suspended organizations, whose jobs stay queued. */
  readonly heldOrganizations: readonly string[];
  readonly heldAgents: readonly string[];
  /** The worker's capabilities: it gets only jobs whose needs they cover. */
  readonly capabilities: readonly string[];
  /** The digest of its declaration. */
  readonly declaration: string;
  /** Claims jobs of calls that the platform itself places instead of jobs for workers. */
  readonly platform?: boolean;
  /** Where index scans start; default: from the beginning. */
  readonly floors?: Floors;
}

/** Times below which no job of a queue is waiting; see `WaitingFloors`. */
export interface Floors {
  /** Queues with a separate floor. */
  readonly organizationIds: readonly string[];
  readonly times: readonly string[];
  /** The floor of all other queues. */
  readonly rest: string;
}

const beginning: Floors = { organizationIds: [], times: [], rest: '-infinity' };

export interface ClaimedJob {
  readonly jobId: string;
  readonly kind: string;
  readonly epoch: string;
  readonly call: Call;
}

const mayGo = `j.state = 'queued' and j.available_at <= now() and j.kind = any($2::text[])
  and j.agent_id <> all($3::text[])
  and j.needs <@ $5::text[]`;

/** Matches jobs by their dialer: hosted workers, an organization's own workers, or the platform itself. */
const mine = 'j.dialer = $6::text';

/** The floor of an organization's queue, as a scalar expression so that it can bound the index scan. */
const floorOf = (organizationId: string, first: number): string => `coalesce(
  (select own.at from unnest($${first}::text[], $${first + 1}::timestamptz[]) as own (organization_id, at) where own.organization_id = ${organizationId}),
  $${first + 2}::timestamptz)`;

/** The highest priority among the claimable jobs of a queue `l`; no row if it has none. Uses one index probe per priority. */
const duePriority = (firstOfFloors: number): string => `
  select due.priority from (${[0, 1, 2]
    .map(
      (priority) => `(select ${priority} as priority from jobs j
        where j.organization_id = l.organization_id and ${mine} and j.priority = ${priority} and ${mayGo}
          and j.available_at >= ${floorOf('l.organization_id', firstOfFloors)} limit 1)`,
    )
    .join(' union all ')}) due
  order by due.priority limit 1`;

/** How often the time at which a queue was served is updated while no other queue has a claimable job. */
const servedSeconds = 5;

/**
 * One claim. Among the queues with a claimable job it chooses the one served longest ago, and from that queue the first job of the highest priority. Queues and
 * jobs locked by other claims are skipped, and a job that was claimed after this statement began fails the recheck of its row. Organization and priority are
 * passed to the scan of jobs as values, so that it reads the index in order and stops at the first row.
 */
export const claimText = `
  with queue as materialized (
    select l.organization_id, l.last_served_at, due.priority
    from organization_queues l cross join lateral (${duePriority(10)}) due
    where l.last_served_at >= $13::timestamptz and ($1::text = '' or l.organization_id = $1::text)
      and l.organization_id <> all($4::text[])
    order by l.last_served_at, l.organization_id limit 1
    for no key update of l skip locked
  ), first as materialized (
    select j.job_id from jobs j
    where j.organization_id = (select organization_id from queue) and ${mine} and j.priority = (select priority from queue) and ${mayGo}
      and j.available_at >= ${floorOf('(select organization_id from queue)', 10)}
    order by j.available_at, j.job_id limit 1
    for no key update of j skip locked
  ), leased as (
    update jobs set state = 'leased', epoch = jobs.epoch + 1, worker_id = $7,
      declaration = $9, lease_expires_at = clock_timestamp() + make_interval(secs => $8)
    from first where jobs.job_id = first.job_id
    returning jobs.job_id, jobs.kind, jobs.epoch, jobs.organization_id, jobs.call_id
  ), served as (
    -- The order of service matters only if another queue has a claimable job. Otherwise the row is updated rarely, because each update leaves an entry in three
    -- indexes. It is found by its time, because the primary key has all those entries. If another claim changed the time just before this one locked the row, it
    -- is not found, and keeps that time.
    update organization_queues served set last_served_at = clock_timestamp()
    from leased, queue where served.last_served_at = queue.last_served_at and (served.organization_id = leased.organization_id) is true
      and (served.last_served_at < now() - interval '${servedSeconds} seconds' or exists (
        select from organization_queues l cross join lateral (${duePriority(10)}) due
        where l.last_served_at >= $13::timestamptz and ($1::text = '' or l.organization_id = $1::text)
          and l.organization_id <> all($4::text[]) and l.organization_id <> leased.organization_id))
  )
  select leased.job_id, leased.kind, leased.epoch, ${selectedCall}
  from leased join calls c on c.call_id = leased.call_id and (c.organization_id = leased.organization_id) is true`;

export type ClaimedRow = CallRow & { readonly job_id: string; readonly kind: string; readonly epoch: string };

/** Leases the next job; undefined if there is none, or all queues with jobs are locked by others. */
export async function claimNext(tx: Queryable, scope: ClaimScope): Promise<ClaimedJob | undefined> {
  const { rows } = await tx.query<ClaimedRow>({
    name: 'job-claim',
    text: claimText,
    values: [
      ...whose(scope),
      scope.workerId,
      scope.leaseSeconds,
      scope.declaration,
      ...floorsOf(scope),
      queueFloor.value,
    ],
  });
  return rows[0] && claimedOf(rows[0]);
}

export const claimedOf = (row: ClaimedRow): ClaimedJob => ({
  jobId: row.job_id,
  kind: row.kind,
  epoch: row.epoch,
  call: callOf(row),
});

/** Whether a claimable job is waiting for this scope. If so after an empty claim, another claim has locked the job's queue. */
export async function anyWaiting(db: Queryable, scope: ClaimScope): Promise<boolean> {
  const { rows } = await db.query<{ waiting: boolean }>({
    name: 'job-any-waiting',
    text: `select exists (
             select 1 from organization_queues l cross join lateral (${duePriority(7)}) due
             where l.last_served_at >= $10::timestamptz and ($1::text = '' or l.organization_id = $1::text)
               and l.organization_id <> all($4::text[])) as waiting`,
    values: [...whose(scope), ...floorsOf(scope), queueFloor.value],
  });
  return rows[0]?.waiting ?? false;
}

const floorsOf = ({ floors = beginning }: ClaimScope): unknown[] => [floors.organizationIds, floors.times, floors.rest];

/** Queues with jobs that have waited long, and since when. Times are milliseconds since 1970. */
export interface WaitingSince {
  readonly databaseMs: number;
  /** The due time of the first waiting job of all other queues; null: they have none. */
  readonly firstMs: number | null;
  readonly queues: readonly { readonly organizationId: string; readonly firstMs: number }[];
}

interface WaitingRow {
  readonly database_at: Date;
  readonly organization_id: string | null;
  readonly first_ms: number | null;
  readonly others_ms: number | null;
  /** When the queue that was served longest ago was served; null: there is no queue. */
  readonly served_ms: number | null;
}

// One index probe for each combination of dialer and priority that a waiting job of the queue can have.
const firstWaiting = `select min(first.at) as at from (${['hosted', 'own', 'platform']
  .flatMap((dialer) =>
    [0, 1, 2].map(
      (priority) => `(select j.available_at as at from jobs j
        where j.organization_id = l.organization_id and j.dialer = '${dialer}' and j.priority = ${priority} and j.state = 'queued'
          and j.available_at >= ${floorOf('l.organization_id', 1)} order by j.available_at limit 1)`,
    ),
  )
  .join(' union all ')}) first`;

/** At most `most` queues whose first job has waited longer than `seconds`. Also moves the floor from which queues are read. */
export async function readWaitingSince(
  db: Queryable,
  floors: Floors,
  seconds: number,
  most: number,
): Promise<WaitingSince> {
  const moves = queueFloor.wantsLook();
  const { rows } = await db.query<WaitingRow>({
    name: 'jobs-waiting-since',
    text: `with first as materialized (
             select l.organization_id, oldest.at from organization_queues l cross join lateral (${firstWaiting}) oldest
             where l.last_served_at >= $6::timestamptz and oldest.at is not null)
           select clock_timestamp() as database_at, old.organization_id,
             extract(epoch from old.at)::float8 * 1000 as first_ms,
             (select extract(epoch from min(at))::float8 * 1000 from first where at >= now() - make_interval(secs => $4)) as others_ms,
             (select extract(epoch from q.last_served_at)::float8 * 1000 from organization_queues q
              where q.last_served_at >= $6::timestamptz order by q.last_served_at limit 1) as served_ms
           from (select 1) once left join lateral (
             select organization_id, at from first where at < now() - make_interval(secs => $4) limit $5) old on true`,
    values: [floors.organizationIds, floors.times, floors.rest, seconds, most, queueFloor.value],
  });
  if (moves && rows[0] !== undefined) queueFloor.looked(rows[0].database_at.getTime(), rows[0].served_ms);
  return {
    databaseMs: rows[0]?.database_at.getTime() ?? 0,
    firstMs: rows[0]?.others_ms ?? null,
    queues: rows.flatMap(({ organization_id: organizationId, first_ms: firstMs }) =>
      organizationId === null || firstMs === null ? [] : [{ organizationId, firstMs }],
    ),
  };
}

/** The first six parameters of the statements of `claimNext` and `anyWaiting`. */
const whose = (scope: ClaimScope): unknown[] => [
  scope.organizationId,
  scope.kinds,
  scope.heldAgents,
  scope.heldOrganizations,
  scope.capabilities,
  scope.platform === true ? 'platform' : scope.organizationId === '' ? 'hosted' : 'own',
];
