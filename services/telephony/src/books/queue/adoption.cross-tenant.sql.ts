import type { Queryable } from '@parley/runtime';
import { callOf, selectedCall, type CallRow } from '../calls/call-rows.sql';
import type { TokenedJob } from './job.rules';

export interface AdoptableJob {
  readonly jobId: string;
  readonly organizationId: string;
  readonly callId: string;
  readonly agentId: string;
  /** SHA-256 of the token with which a worker adopts the job. */
  readonly tokenHash: Buffer;
  readonly adoptBefore: Date;
  /** `platform` for a call over a carrier's line. */
  readonly dialer?: 'platform';
}

/** Inserts a job that waits for the connection that presents its token. It is in no queue, so claims do not find it. */
export async function insertAdoptableJob(tx: Queryable, job: AdoptableJob): Promise<void> {
  await tx.query({
    name: 'job-insert-adoptable',
    text: `insert into jobs (organization_id, job_id, call_id, agent_id, kind, state, available_at, needs, adopt_token_hash, adopt_before, dialer)
           select $1::text, $2::text, c.call_id, $4::text, 'call', 'adoptable', c.created_at, c.needs, $5::bytea, $6::timestamptz, $7::text
           from calls c where c.organization_id = $1::text and c.call_id = $3::text`,
    values: [
      job.organizationId,
      job.jobId,
      job.callId,
      job.agentId,
      job.tokenHash,
      job.adoptBefore,
      job.dialer ?? 'hosted',
    ],
  });
}

interface TokenedRow extends CallRow {
  readonly job_id: string;
  readonly worker_id: string | null;
  readonly epoch: string;
  readonly fresh: boolean;
  readonly open: boolean;
}

/** The job with this token. @param organizationId empty: of any organization (for hosted workers) */
export async function findByToken(
  db: Queryable,
  organizationId: string,
  tokenHash: Buffer,
): Promise<TokenedJob | undefined> {
  const { rows } = await db.query<TokenedRow>({
    name: 'job-find-by-token',
    text: `select j.job_id, j.worker_id, j.epoch::text as epoch,
             j.state = 'leased' and j.lease_expires_at > clock_timestamp()
               and not exists (select from job_reports r where r.job_id = j.job_id and r.epoch = j.epoch)
               and j.dialer = case when $1::text = '' then 'hosted' else 'own' end as fresh,
             j.state = 'adoptable' and j.adopt_before > clock_timestamp() as open, ${selectedCall}
           from jobs j join calls c on c.call_id = j.call_id and c.organization_id = j.organization_id
           where j.adopt_token_hash = $2 and ($1::text = '' or j.organization_id = $1::text)`,
    values: [organizationId, tokenHash],
  });
  const row = rows[0];
  if (row === undefined) return undefined;
  const { job_id: jobId, worker_id: workerId, epoch, fresh, open } = row;
  return { jobId, adoption: workerId === null ? undefined : { workerId, epoch, fresh }, open, call: callOf(row) };
}

export interface Adopter {
  /** The organization whose own worker adopts the job; empty: a hosted worker. */
  readonly organizationId: string;
  readonly workerId: string;
  /** The digest of its declaration. */
  readonly declaration: string;
  readonly leaseSeconds: number;
}

/**
 * Leases the job to the worker that has the connection. From then on the job counts as permitted, so it never returns to a queue.
 * @returns its epoch; undefined if another worker adopted it first, or its deadline has passed
 */
export async function leaseAdoptable(db: Queryable, jobId: string, adopter: Adopter): Promise<string | undefined> {
  const { rows } = await db.query<{ epoch: string }>({
    name: 'job-adopt',
    text: `update jobs set state = 'leased', epoch = epoch + 1, worker_id = $2, declaration = $3,
             dialer = case when $4::text = '' then 'hosted' else 'own' end, permitted_at = clock_timestamp(), lost_at = null,
             lease_expires_at = clock_timestamp() + make_interval(secs => $5)
           where job_id = $1 and state = 'adoptable' and adopt_before > clock_timestamp()
           returning epoch`,
    values: [jobId, adopter.workerId, adopter.declaration, adopter.organizationId, adopter.leaseSeconds],
  });
  return rows[0]?.epoch;
}

export interface UnadoptedJob {
  readonly jobId: string;
  readonly organizationId: string;
  readonly callId: string;
  readonly state: 'adoptable';
}

/** Whether a test call missed its connection deadline. In the usual case that none did, this avoids a transaction. */
export async function anyUnadopted(db: Queryable): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'job-any-unadopted',
    text: `select 1 from jobs j where j.state = 'adoptable' and j.adopt_before <= now() and j.dialer <> 'platform' limit 1`,
  });
  return rowCount > 0;
}

/** Locks and returns a test call that missed its connection deadline; rows locked by others are skipped. Lines are handled by `takeDueLine` instead. */
export async function lockUnadopted(tx: Queryable): Promise<UnadoptedJob | undefined> {
  const { rows } = await tx.query<{ job_id: string; organization_id: string; call_id: string }>({
    name: 'job-lock-unadopted',
    text: `select j.job_id, j.organization_id, j.call_id from jobs j
           where j.state = 'adoptable' and j.adopt_before <= now() and j.dialer <> 'platform'
           order by j.adopt_before limit 1 for update skip locked`,
  });
  const row = rows[0];
  return row && { jobId: row.job_id, organizationId: row.organization_id, callId: row.call_id, state: 'adoptable' };
}

/** A token with which a worker adopts a job, and its lifetime. */
export interface AdoptionToken {
  readonly tokenHash: Buffer;
  readonly seconds: number;
}

/**
 * Makes a job wait for the stream that presents this token; earlier tokens of the job become invalid. The caller has locked the job. The job counts as
 * permitted, so it never returns to the queue.
 */
export async function makeAdoptable(tx: Queryable, jobId: string, token: AdoptionToken): Promise<void> {
  await tx.query({
    name: 'job-make-adoptable',
    text: `update jobs set state = 'adoptable', worker_id = null, lease_expires_at = null, declaration = null,
             permitted_at = coalesce(permitted_at, clock_timestamp()), adopt_token_hash = $2,
             adopt_before = clock_timestamp() + make_interval(secs => $3)
           where job_id = $1 and state in ('leased', 'adoptable')`,
    values: [jobId, token.tokenHash, token.seconds],
  });
}
