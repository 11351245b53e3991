import { lineCarriers } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import { queueLock, queueRow } from './organization-queue.sql';

export interface NewJob {
  readonly jobId: string;
  readonly callId: string;
  readonly agentId: string;
  readonly scheduledAt: Date | null;
}

/**
 * Inserts a job into its organization's queue, with the priority of the call's request and the current dialer of its number. The calling code must then
 * increment `queued` in `organization_controls`.
 */
export async function insertJob(tx: Queryable, organizationId: string, job: NewJob): Promise<void> {
  await tx.query({
    name: 'job-insert',
    text: `with queue_lock as (select ${queueLock('$1::text')}), queue as (${queueRow('$1::text', 'queue_lock')})
           insert into jobs (organization_id, job_id, call_id, agent_id, kind, available_at, priority, needs, dialer)
           select $1::text, $2::text, c.call_id, $4::text, 'call', coalesce($5::timestamptz, now()), c.priority, c.needs,
             coalesce((select case when n.dialer = 'hosted' and n.provider = any($6::text[]) then 'platform' else n.dialer end
                       from numbers n where n.organization_id = $1::text
                       and n.phone_number = c.from_number and n.released_at is null), 'hosted')
           from queue_lock, calls c
           where c.organization_id = $1::text and c.call_id = $3::text and (select count(*) from queue) >= 0`,
    values: [organizationId, job.jobId, job.callId, job.agentId, job.scheduledAt, lineCarriers],
  });
}

/** Removes a job that this transaction inserted. */
export async function removeJob(tx: Queryable, organizationId: string, jobId: string): Promise<void> {
  await tx.query({
    name: 'job-remove',
    text: 'delete from jobs where organization_id = $1 and job_id = $2',
    values: [organizationId, jobId],
  });
}

export interface HeldByGateway {
  readonly jobId: string;
  readonly organizationId: string;
  readonly callId: string;
  readonly agentId: string;
  /** The id of the gateway's key. */
  readonly holder: string;
  readonly leaseSeconds: number;
}

/** Inserts the job of an incoming call. It is leased from the beginning and never queued or assigned. */
export async function insertHeldJob(tx: Queryable, job: HeldByGateway): Promise<void> {
  await tx.query({
    name: 'inbound-job',
    text: `insert into jobs (job_id, organization_id, call_id, agent_id, kind, state, available_at, epoch, worker_id,
             lease_expires_at, permitted_at)
           values ($1, $2, $3, $4, 'inbound', 'leased', clock_timestamp(), 1, $5,
             clock_timestamp() + make_interval(secs => $6), clock_timestamp())`,
    values: [job.jobId, job.organizationId, job.callId, job.agentId, job.holder, job.leaseSeconds],
  });
}
