import { capabilityBlockers, missingCapabilities } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import { lockCall, advanceThrough, recordSteps, finishJob, countWaiting, type PausedScopes } from '../../books';
import { lockUnserved, type UnservedJob } from './unserved.cross-tenant.sql';
import { listDeclarations } from '../workers/worker-capabilities.sql';
import type { Telephony } from '../../telephony';

/** Fails one call that has been due for `seconds` while no worker was present that could conduct it. False: there is no such call. */
export async function failUnserved(
  telephony: Pick<Telephony, 'db' | 'onCommit'>,
  seconds: number,
  held: PausedScopes,
): Promise<boolean> {
  const failed = await telephony.db.transaction(async (tx) => {
    const job = await lockUnserved(tx, seconds, held);
    if (job === undefined) return false;
    await fail(tx, job, seconds);
    return true;
  });
  if (failed) telephony.onCommit(false);
  return failed;
}

async function fail(tx: Queryable, job: UnservedJob, seconds: number): Promise<void> {
  const { organizationId } = job;
  const locked = await lockCall(tx, organizationId, job.callId);
  if (locked === undefined) throw new Error(`job ${job.jobId} has no call`);
  const { call, now } = locked;
  const seen = [
    ...(await listDeclarations(tx, '', 'call', seconds)),
    ...(await listDeclarations(tx, organizationId, 'call', seconds)),
  ].map(({ capabilities }) => capabilities);
  const problems = capabilityBlockers(missingCapabilities(job.needs, seen)).map(({ code, detail }) => ({
    code,
    detail: `${detail}, for ${seconds} seconds`,
    at: now.toISOString(),
  }));
  const steps = advanceThrough(call, [['fail', { at: now, endedReason: 'configuration_unavailable', problems }]]);
  await recordSteps(tx, call, steps, now);
  await finishJob(tx, job.jobId, true);
  await countWaiting(tx, new Map([[organizationId, -1]]));
}
