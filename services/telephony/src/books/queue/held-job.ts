import { conflict, notFound } from '@parley/errors';
import { isId, type Queryable } from '@parley/runtime';
import { lockCall } from '../calls/calls.sql';
import type { Call } from '../calls/call.rules';
import { lockJob, type LockedJob } from './leases.cross-tenant.sql';

export interface HeldJob {
  readonly job: LockedJob;
  readonly call: Call;
  /** The database's clock. */
  readonly now: Date;
}

/** A locked job for a worker's write, with the validated fields of the request. */
export interface HeldWrite<Fields> extends HeldJob {
  readonly fields: Fields;
}

/**
 * Locks a job and its call for a worker's write. The worker must still have the lease, or have finished the job itself under the same epoch.
 * @param fieldsOf validates the fields of the request; called after the id was found and before the epoch is compared. @throws AppError BadRequestError
 * @throws NotFoundError; ConflictError if another worker has the lease, the job returned to the queue, or the lease was revoked
 */
export async function lockHeldJob<Fields extends { readonly epoch: number }>(
  tx: Queryable,
  organizationId: string,
  jobId: string,
  fieldsOf: () => Fields,
): Promise<HeldWrite<Fields>> {
  const job = isId('job', jobId) ? await lockJob(tx, organizationId, jobId) : undefined;
  if (job === undefined) throw notFound('worker job');
  const fields = fieldsOf();
  if (job.epoch !== String(fields.epoch) || job.state === 'queued' || job.state === 'adoptable')
    throw conflict('the lease of this job was lost: its epoch is stale');
  const locked = await lockCall(tx, job.organizationId, job.callId);
  if (locked === undefined) throw new Error(`job ${jobId} has no call`);
  return { job, fields, ...locked };
}
