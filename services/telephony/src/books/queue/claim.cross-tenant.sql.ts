import type { Queryable } from '@parley/runtime';
import { callOf, selectedCall, type CallRow } from '../calls/call-rows.sql';
import type { ClaimedJob, ClaimScope } from './job.rules';

const mayGo = `j.state = 'queued' and j.available_at <= now() and j.kind = any($2::text[])
  and j.agent_id <> all($3::text[])
  and j.needs <@ $5::text[]`;

/** Matches jobs by their dialer: hosted workers, an organization's own workers, or the platform itself. */
const mine = 'j.dialer = $6::text';

/** The highest priority among the claimable jobs of a queue `l`; no row if it has none. Uses one index probe per priority. */
const duePriority = `
  select due.priority from (${[0, 1, 2]
    .map(
      (priority) => `(select ${priority} as priority from jobs j
        where j.organization_id = l.organization_id and ${mine} and j.priority = ${priority} and ${mayGo} limit 1)`,
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
    select l.organization_id, due.priority
    from organization_queues l cross join lateral (${duePriority}) due
    where ($1::text = '' or l.organization_id = $1::text)
      and l.organization_id <> all($4::text[])
    order by l.last_served_at, l.organization_id limit 1
    for no key update of l skip locked
  ), first as materialized (
    select j.job_id from jobs j
    where j.organization_id = (select organization_id from queue) and ${mine} and j.priority = (select priority from queue) and ${mayGo}
    order by j.available_at, j.job_id limit 1
    for no key update of j skip locked
  ), leased as (
    update jobs set state = 'leased', epoch = jobs.epoch + 1, worker_id = $7,
      declaration = $9, lease_expires_at = clock_timestamp() + make_interval(secs => $8)
    from first where jobs.job_id = first.job_id
    returning jobs.job_id, jobs.kind, jobs.epoch, jobs.organization_id, jobs.call_id
  ), served as (
    -- The order of service matters only if another queue has a claimable job. Otherwise the row is updated rarely.
    update organization_queues served set last_served_at = clock_timestamp()
    where served.organization_id = (select organization_id from leased)
      and (served.last_served_at < now() - interval '${servedSeconds} seconds' or exists (
        select from organization_queues l cross join lateral (${duePriority}) due
        where ($1::text = '' or l.organization_id = $1::text)
          and l.organization_id <> all($4::text[]) and l.organization_id <> served.organization_id))
  )
  select leased.job_id, leased.kind, leased.epoch, ${selectedCall}
  from leased join calls c on c.call_id = leased.call_id and c.organization_id = leased.organization_id`;

export type ClaimedRow = CallRow & { readonly job_id: string; readonly kind: string; readonly epoch: string };

/** Leases the next job; undefined if there is none, or all queues with jobs are locked by others. */
export async function claimNext(tx: Queryable, scope: ClaimScope): Promise<ClaimedJob | undefined> {
  const { rows } = await tx.query<ClaimedRow>({
    name: 'job-claim',
    text: claimText,
    values: [...whose(scope), scope.workerId, scope.leaseSeconds, scope.declaration],
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
             select 1 from organization_queues l cross join lateral (${duePriority}) due
             where ($1::text = '' or l.organization_id = $1::text)
               and l.organization_id <> all($4::text[])) as waiting`,
    values: whose(scope),
  });
  return rows[0]?.waiting ?? false;
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
