import type { Queryable } from '@parley/runtime';
import type { Call } from '../../domain/call';
import { callOf, selectedCall, type CallRow } from '../call-rows';

/** Who may claim what. */
export interface ClaimScope {
  /** Empty: any organization's jobs (hosted workers). */
  readonly organizationId: string;
  readonly kinds: readonly string[];
  readonly workerId: string;
  readonly leaseSeconds: number;
  /** Whose jobs wait: suspended ones. */
  readonly heldOrganizations: readonly string[];
  readonly heldAgents: readonly string[];
}

export interface ClaimedJob {
  readonly jobId: string;
  readonly kind: string;
  readonly epoch: string;
  readonly call: Call;
}

const mayGo = `j.state = 'queued' and j.available_at <= now() and j.kind = any($2::text[])
  and j.agent_id <> all($5::text[])`;

/**
 * One turn: the lane that was served longest ago among those with a job to give, then its first job. A lane or job that
 * another claim holds is passed over. A job taken since this statement began fails the recheck of its row.
 */
const claimText = `
  with lane as materialized (
    select l.organization_id from lanes l
    where ($1::text = '' or l.organization_id = $1::text) and l.organization_id <> all($6::text[])
      and exists (select 1 from jobs j where j.organization_id = l.organization_id and ${mayGo})
    order by l.last_served_at, l.organization_id limit 1
    for no key update skip locked
  ), first as materialized (
    select j.job_id from jobs j join lane on lane.organization_id = j.organization_id where ${mayGo}
    order by j.available_at, j.job_id limit 1
    for no key update of j skip locked
  ), leased as (
    update jobs set state = 'leased', epoch = jobs.epoch + 1, worker_id = $3,
      lease_expires_at = clock_timestamp() + make_interval(secs => $4)
    from first where jobs.job_id = first.job_id
    returning jobs.job_id, jobs.kind, jobs.epoch, jobs.organization_id, jobs.call_id
  ), served as (
    update lanes set last_served_at = clock_timestamp()
    from leased where lanes.organization_id = leased.organization_id
  )
  select leased.job_id, leased.kind, leased.epoch, ${selectedCall}
  from leased join calls c on c.call_id = leased.call_id and c.organization_id = leased.organization_id`;

type ClaimedRow = CallRow & { readonly job_id: string; readonly kind: string; readonly epoch: string };

/** Leases the next job in turn; undefined when there is none, or others hold what there is. */
export async function claimNext(tx: Queryable, scope: ClaimScope): Promise<ClaimedJob | undefined> {
  const { rows } = await tx.query<ClaimedRow>({
    name: 'job-claim',
    text: claimText,
    values: [
      scope.organizationId,
      scope.kinds,
      scope.workerId,
      scope.leaseSeconds,
      scope.heldAgents,
      scope.heldOrganizations,
    ],
  });
  const row = rows[0];
  return row === undefined ? undefined : { jobId: row.job_id, kind: row.kind, epoch: row.epoch, call: callOf(row) };
}

/** Whether a job waits that this scope may have: after an empty claim it means that another claim holds its lane. */
export async function anyWaiting(db: Queryable, scope: ClaimScope): Promise<boolean> {
  const { rows } = await db.query<{ waiting: boolean }>({
    name: 'job-any-waiting',
    text: `select exists (select 1 from jobs j where ($1::text = '' or j.organization_id = $1::text)
             and j.organization_id <> all($4::text[]) and j.state = 'queued' and j.available_at <= now()
             and j.kind = any($2::text[]) and j.agent_id <> all($3::text[])) as waiting`,
    values: [scope.organizationId, scope.kinds, scope.heldAgents, scope.heldOrganizations],
  });
  return rows[0]?.waiting ?? false;
}
