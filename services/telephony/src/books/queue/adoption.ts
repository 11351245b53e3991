import { conflict, notFound } from '@parley/errors';
import type { Queryable } from '@parley/runtime';
import type { Telephony } from '../../telephony';
import * as jobs from './adoption.cross-tenant.sql';
import { adoptionTokenHash, newAdoptionToken } from './adoption-token.rules';
import type { ClaimedJob, TokenedJob } from './job.rules';

/**
 * Leases the job of a token to the worker that presents it. Repeating the request returns the same lease, as long as the worker has not reported anything.
 * @param prepare loads what the worker needs before it gets the lease
 * @throws NotFoundError for an unknown or expired token; ConflictError for a token that was used
 */
export async function adoptByToken<Prepared>(
  db: Queryable,
  token: string,
  adopter: jobs.Adopter,
  prepare: (found: TokenedJob) => Promise<Prepared>,
): Promise<{ readonly claimed: ClaimedJob; readonly prepared: Prepared }> {
  const find = async () => {
    const found = await jobs.findByToken(db, adopter.organizationId, adoptionTokenHash(token));
    if (found === undefined) throw notFound('call of this token');
    return found;
  };
  const adopted = ({ jobId, call }: TokenedJob, epoch: string): ClaimedJob => ({ jobId, kind: 'call', epoch, call });
  let found = await find();
  if (found.adoption === undefined) {
    if (!found.open) throw notFound('call of this token');
    const prepared = await prepare(found);
    const epoch = await jobs.leaseAdoptable(db, found.jobId, adopter);
    if (epoch !== undefined) return { claimed: adopted(found, epoch), prepared };
    found = await find();
  }
  const { adoption } = found;
  if (adoption?.fresh !== true || adoption.workerId !== adopter.workerId) throw conflict('the token was used');
  return { claimed: adopted(found, adoption.epoch), prepared: await prepare(found) };
}

/**
 * Makes a job wait for the stream that presents the token that is returned; earlier tokens of the job become invalid. The caller has locked the job. The job
 * counts as permitted, so it never returns to the queue.
 */
export async function makeAdoptable(
  tx: Queryable,
  { vault }: Pick<Telephony, 'vault'>,
  jobId: string,
  seconds: number,
): Promise<string> {
  const token = newAdoptionToken(vault);
  await jobs.makeAdoptable(tx, jobId, { tokenHash: adoptionTokenHash(token), seconds });
  return token;
}
