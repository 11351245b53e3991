import { conflict } from '@parley/errors';
import type { Queryable } from '@parley/runtime';
import { lockHeldJob, type HeldWrite } from './held-job';

export interface LeaseInput<Fields> {
  /** Empty for hosted workers, and for an operator who names none. */
  readonly organizationId: string;
  readonly jobId: string;
  /** Validates the fields, once the job is found. @throws AppError BadRequestError */
  readonly fields: () => Fields;
}

/**
 * Locks the job of a worker that acts for its call: the lease is its own, and the call is not over. An organization's own worker has no lease of a
 * job that hosted workers conduct, nor they of one of its own.
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

/** Whether a call may still be conducted. */
export const isOpen = (status: string): boolean => status === 'queued' || status === 'dialing' || status === 'answered';
