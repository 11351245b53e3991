import { conflict, notFound } from '@parley/errors';
import { isId, type Queryable } from '@parley/runtime';
import * as calls from '../calls/calls.sql';
import type { Call } from '../calls/call.rules';
import type { LockedJob, LeaseRequest } from './job.rules';
import { lockJob, lockJobOfCall, extendLeases } from './leases.cross-tenant.sql';
import type { Telephony } from '../../telephony';

/** A call, locked until the transaction ends. */
export interface LockedCall {
  readonly call: Call;
  /** The database's clock. */
  readonly now: Date;
}

export interface HeldJob<Job = LockedJob> extends LockedCall {
  readonly job: Job;
}

/** A locked job for a worker's write, with the validated fields of the request. */
export interface HeldWrite<Fields> extends HeldJob {
  readonly fields: Fields;
}

/** Locks a call for a change that does not touch its job. Undefined: the organization has no such call. */
export function lockCall(tx: Queryable, organizationId: string, callId: string): Promise<LockedCall | undefined> {
  return calls.lockCall(tx, organizationId, callId);
}

/** Locks a call and its job, which a call that is not queued yet, or was refused, does not have. Lock order: the job first. */
export async function lockCallAndJob(
  tx: Queryable,
  organizationId: string,
  callId: string,
): Promise<HeldJob<LockedJob | undefined> | undefined> {
  const job = await lockJobOfCall(tx, organizationId, callId);
  const locked = await lockCall(tx, organizationId, callId);
  return locked && { job, ...locked };
}

/** Locks the call of a job that is locked already. */
export async function lockCallOf<Job extends Pick<LockedJob, 'jobId' | 'organizationId' | 'callId'>>(
  tx: Queryable,
  job: Job,
): Promise<HeldJob<Job>> {
  const locked = await lockCall(tx, job.organizationId, job.callId);
  if (locked === undefined) throw new Error(`job ${job.jobId} has no call`);
  return { job, ...locked };
}

/** Locks a job and its call. @param organizationId empty: of any organization (for hosted workers) */
export async function lockJobAndCall(
  tx: Queryable,
  organizationId: string,
  jobId: string,
): Promise<HeldJob | undefined> {
  const job = await lockJob(tx, organizationId, jobId);
  return job && lockCallOf(tx, job);
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
  return { ...(await lockCallOf(tx, job)), fields };
}

export interface LeaseInput<Fields> {
  /** Empty for hosted workers, and for an operator that specified no organization. */
  readonly organizationId: string;
  readonly jobId: string;
  /** Validates the fields; called once the job is found. @throws AppError BadRequestError */
  readonly fields: () => Fields;
}

/**
 * Locks the job for a request of the worker that conducts its call: the lease must be the worker's, and the call must not be over. An organization's own
 * workers cannot act on jobs of hosted workers, and vice versa.
 * @throws AppError NotFoundError; BadRequestError; ConflictError
 */
export async function lockLease<Fields extends { readonly epoch: number }>(
  tx: Queryable,
  { organizationId, jobId, fields }: LeaseInput<Fields>,
): Promise<HeldWrite<Fields>> {
  const held = await lockHeldJob(tx, organizationId, jobId, fields);
  const dialer = organizationId === '' ? 'hosted' : 'own';
  if (held.job.dialer !== dialer) throw conflict('this job is leased by another worker');
  if (held.job.state !== 'leased' || !isOpen(held.call.status)) throw conflict('the call is over');
  return held;
}

/** Whether a call can still be conducted. */
export const isOpen = (status: string): boolean => status === 'queued' || status === 'dialing' || status === 'answered';

export interface LeaseState extends LeaseRequest {
  readonly state: 'held' | 'lost';
  readonly cancelRequested: boolean;
}

/** Extends a worker's leases; returns for each, in order, whether the worker still has it. */
export async function heartbeat(
  { db, settings }: Pick<Telephony, 'db' | 'settings'>,
  organizationId: string,
  leases: readonly LeaseRequest[],
): Promise<LeaseState[]> {
  const held = await extendLeases(db, organizationId, leases, settings.leaseSeconds);
  const byJob = new Map(held.map((lease) => [`${lease.jobId} ${lease.epoch}`, lease]));
  return leases.map(({ jobId, epoch }) => {
    const lease = byJob.get(`${jobId} ${epoch}`);
    return {
      jobId,
      epoch,
      state: lease === undefined ? 'lost' : 'held',
      cancelRequested: lease?.cancelRequested ?? false,
    };
  });
}
