import { conflict } from '@parley/errors';
import type { Queryable } from '@parley/runtime';
import { lockHeldJob, type HeldWrite } from './held-job';

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
