import type { Queryable } from '@parley/runtime';
import type { HeldLease, JobDialer, JobState, LeaseRequest, LockedJob } from './job.rules';

interface JobRow {
  readonly job_id: string;
  readonly organization_id: string;
  readonly call_id: string;
  readonly workers_of: string;
  readonly state: JobState;
  readonly epoch: string;
  readonly permitted: boolean;
  readonly cancel_requested: boolean;
  readonly dialer: JobDialer;
  readonly lost_at: Date | null;
}

/** The organization whose own workers conduct a job; empty: hosted workers. */
export const workersOf = (job: string): string =>
  `case ${job}.dialer when 'own' then ${job}.organization_id else '' end`;

const columns = `job_id, organization_id, call_id, ${workersOf('jobs')} as workers_of, state, epoch, permitted_at is not null as permitted,
  cancel_requested_at is not null as cancel_requested, dialer, lost_at`;

const jobOf = (row: JobRow): LockedJob => ({
  jobId: row.job_id,
  organizationId: row.organization_id,
  callId: row.call_id,
  workersOf: row.workers_of,
  state: row.state,
  epoch: row.epoch,
  permitted: row.permitted,
  cancelRequested: row.cancel_requested,
  dialer: row.dialer,
  lostAt: row.lost_at,
});

/** Locks a job until the transaction ends and returns it. An empty `organizationId` matches any organization (for hosted workers). */
export async function lockJob(tx: Queryable, organizationId: string, jobId: string): Promise<LockedJob | undefined> {
  const { rows } = await tx.query<JobRow>({
    name: 'job-lock',
    text: `select ${columns} from jobs where job_id = $2 and ($1::text = '' or organization_id = $1::text) for update`,
    values: [organizationId, jobId],
  });
  return rows[0] === undefined ? undefined : jobOf(rows[0]);
}

export async function lockJobOfCall(
  tx: Queryable,
  organizationId: string,
  callId: string,
): Promise<LockedJob | undefined> {
  const { rows } = await tx.query<JobRow>({
    name: 'job-lock-of-call',
    text: `select ${columns} from jobs where organization_id = $1 and call_id = $2 for update`,
    values: [organizationId, callId],
  });
  return rows[0] === undefined ? undefined : jobOf(rows[0]);
}

export interface ExpiredWanted {
  /** Jobs to skip. */
  readonly except: readonly string[];
  /** Whether workers can reach the platform. If not, only jobs of media gateways expire, whose leases need no heartbeats. */
  readonly heard: boolean;
  /** Sets of workers (`workersOf`) whose jobs are skipped if a line may be open, that is jobs with a permit to dial and incoming calls. */
  readonly bounded: readonly string[];
}

/** Locks and returns the leased job that expired first; jobs locked by other transactions are skipped. */
export async function lockExpired(
  tx: Queryable,
  { except, heard, bounded }: ExpiredWanted,
): Promise<LockedJob | undefined> {
  const { rows } = await tx.query<JobRow>({
    name: 'job-lock-expired',
    text: `select ${columns} from jobs where state = 'leased' and lease_expires_at < now() and job_id <> all($1::text[])
             and ($2::boolean or kind = 'inbound')
             and ((permitted_at is null and kind <> 'inbound') or ${workersOf('jobs')} <> all($3::text[]))
           order by lease_expires_at limit 1 for update skip locked`,
    values: [except, heard, bounded],
  });
  return rows[0] === undefined ? undefined : jobOf(rows[0]);
}

/**
 * Extends leases that the worker still has, including expired ones that were not taken away yet, and returns them; all others are lost. A lease whose row is
 * locked by another write is returned unchanged: that write or the next heartbeat extends it. So a process that stalls during a write does not block the
 * heartbeats of other leases.
 */
export async function extendLeases(
  db: Queryable,
  organizationId: string,
  leases: readonly LeaseRequest[],
  leaseSeconds: number,
): Promise<HeldLease[]> {
  const { rows } = await db.query<{ job_id: string; epoch: string; cancel_requested: boolean }>({
    name: 'leases-extend',
    text: `with lease as materialized (select * from unnest($2::text[], $3::bigint[]) as given (job_id, epoch)),
           held as materialized (
             select j.job_id from jobs j join lease using (job_id, epoch)
             where ($1::text = '' or j.organization_id = $1::text) and j.state = 'leased'
             order by j.job_id for no key update of j skip locked),
           extended as (
             update jobs set lease_expires_at = clock_timestamp() + make_interval(secs => $4)
             from held where jobs.job_id = held.job_id
             returning jobs.job_id, jobs.epoch, jobs.cancel_requested_at is not null as cancel_requested)
           select * from extended
           union all
           select j.job_id, j.epoch, j.cancel_requested_at is not null from jobs j join lease using (job_id, epoch)
           where ($1::text = '' or j.organization_id = $1::text) and j.state = 'leased'
             and not exists (select from held where held.job_id = j.job_id)`,
    values: [organizationId, leases.map((lease) => lease.jobId), leases.map((lease) => lease.epoch), leaseSeconds],
  });
  return rows.map((row) => ({ jobId: row.job_id, epoch: row.epoch, cancelRequested: row.cancel_requested }));
}

/** Extends the lease of a worker that reported, and records the permit if this request obtained it. */
export async function extendLease(tx: Queryable, jobId: string, leaseSeconds: number, permit: boolean): Promise<void> {
  await tx.query({
    name: 'lease-extend',
    text: `update jobs set lease_expires_at = clock_timestamp() + make_interval(secs => $2),
             permitted_at = case when $3::boolean then clock_timestamp() else permitted_at end
           where job_id = $1 and state = 'leased'`,
    values: [jobId, leaseSeconds, permit],
  });
}

/**
 * Takes a leased job with a line from its worker so that another worker can adopt it. A valid adoption token is created when the carrier requests the next
 * stream.
 */
export async function loseJob(tx: Queryable, jobId: string): Promise<void> {
  await tx.query({
    name: 'job-lose',
    text: `update jobs set state = 'adoptable', epoch = epoch + 1, worker_id = null, lease_expires_at = null, declaration = null,
             dialer = 'platform', adopt_token_hash = sha256(convert_to(gen_random_uuid()::text, 'UTF8')),
             adopt_before = clock_timestamp(), lost_at = clock_timestamp()
           where job_id = $1 and state = 'leased'`,
    values: [jobId],
  });
}

/** Requests the end of a call: the response to the worker's next report instructs it to hang up. */
export async function requestCancel(tx: Queryable, jobId: string): Promise<void> {
  await tx.query({
    name: 'job-request-cancel',
    text: 'update jobs set cancel_requested_at = coalesce(cancel_requested_at, clock_timestamp()) where job_id = $1',
    values: [jobId],
  });
}

/**
 * Marks a job as done. `fence`: the lease is taken from the worker, so that all its further requests are stale. Without it the worker finished the job itself
 * and may repeat its last report.
 */
export async function finishJob(tx: Queryable, jobId: string, fence: boolean): Promise<void> {
  await tx.query({
    name: 'job-finish',
    text: `update jobs set state = 'done', lease_expires_at = null, finished_at = clock_timestamp(),
             epoch = epoch + case when $2::boolean then 1 else 0 end where job_id = $1`,
    values: [jobId, fence],
  });
}

/** The gateway that took the line of an outbound call; undefined if none did. */
export async function lineTakenBy(db: Queryable, organizationId: string, callId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ line_taken_by: string | null }>({
    name: 'job-line',
    text: 'select line_taken_by from jobs where organization_id = $1 and call_id = $2',
    values: [organizationId, callId],
  });
  return rows[0]?.line_taken_by ?? undefined;
}

/** Records which gateway has the line of an outbound call; the caller has locked the job. */
export async function takeOutboundLine(tx: Queryable, jobId: string, gateway: string): Promise<void> {
  await tx.query({
    name: 'job-take-line',
    text: 'update jobs set line_taken_by = coalesce(line_taken_by, $2) where job_id = $1',
    values: [jobId, gateway],
  });
}
