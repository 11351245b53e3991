import { conflict, notFound } from '@parley/errors';
import { isId, type Queryable } from '@parley/runtime';
import { lockCall } from '../db/calls';
import { lockJob, type LockedJob } from '../db/jobs/leases';
import type { Call } from '../domain/call';

export interface HeldJob {
  readonly job: LockedJob;
  readonly call: Call;
  /** The database's clock. */
  readonly now: Date;
}

/**
 * Locks a job and its call for a worker's write. The worker still holds it, or finished it itself under the same epoch.
 * @param checkFields throws what is wrong with the request's fields: judged after the id, before the epoch
 * @throws NotFoundError; ConflictError when the lease went to somebody else, back to the queue, or was taken away
 */
export async function lockHeldJob(
  tx: Queryable,
  organizationId: string,
  jobId: string,
  epoch: string,
  checkFields: () => void,
): Promise<HeldJob> {
  const job = isId('job', jobId) ? await lockJob(tx, organizationId, jobId) : undefined;
  if (job === undefined) throw notFound('worker job');
  checkFields();
  if (job.epoch !== epoch || job.state === 'queued')
    throw conflict('the lease of this job was lost: its epoch is stale');
  const locked = await lockCall(tx, job.organizationId, job.callId);
  if (locked === undefined) throw new Error(`job ${jobId} has no call`);
  return { job, ...locked };
}
