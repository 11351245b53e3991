import { lockCall } from '../calls/calls.sql';
import { advanceThrough } from '../calls/call-transitions.rules';
import { recordSteps } from '../calls/record-steps';
import { lineToHandOver, noteLost } from '../calls/call-snapshots.sql';
import { finishJob, lockJob, loseJob, type LockedJob } from './leases.cross-tenant.sql';
import { countWaiting, putBack } from './waiting.cross-tenant.sql';
import type { ClaimedJob } from './claim.cross-tenant.sql';
import type { Telephony } from '../../telephony';
import type { EndedReason } from '@parley/contract';
import type { Queryable } from '@parley/runtime';

type Needs = Pick<Telephony, 'db' | 'onCommit'>;

/** Retry delay of a job that could not be checked because a dependency was unavailable. */
export const restSeconds = 2;

/** Returns a claimed job to the queue unassigned; it is due again after `delaySeconds`. */
export async function releaseJob(telephony: Needs, claimed: ClaimedJob, delaySeconds: number): Promise<void> {
  // A chat is in no queue, so it fails; its client retries.
  if (claimed.call.channel === 'chat') return failClaimed(telephony, claimed, 'capacity_unavailable');
  await telephony.db.transaction(async (tx) => {
    const job = await stillClaimed(tx, claimed);
    if (job === undefined) return;
    await putBack(tx, job.organizationId, job.jobId, delaySeconds);
    await countWaiting(tx, new Map([[job.organizationId, 1]]));
  });
  telephony.onCommit(true);
}

/** Fails a call that can never be assigned, for example because its publication no longer exists. */
export async function failClaimed(telephony: Needs, claimed: ClaimedJob, endedReason: EndedReason): Promise<void> {
  await telephony.db.transaction(async (tx) => {
    const job = await stillClaimed(tx, claimed);
    const locked = job && (await lockCall(tx, job.organizationId, job.callId));
    if (job === undefined || locked === undefined) return;
    const steps = advanceThrough(locked.call, [['fail', { at: locked.now, endedReason }]]);
    await recordSteps(tx, locked.call, steps, locked.now);
    await finishJob(tx, job.jobId, true);
  });
  telephony.onCommit(false);
}

async function stillClaimed(tx: Queryable, claimed: ClaimedJob): Promise<LockedJob | undefined> {
  const job = await lockJob(tx, claimed.call.organizationId, claimed.jobId);
  const unreported = claimed.call.channel === 'chat' || job?.permitted === false;
  return job?.state === 'leased' && job.epoch === claimed.epoch && unreported ? job : undefined;
}

/** After this time the carrier is instructed to reconnect the line, unless it has requested instructions itself. */
const askSeconds = 5;

/**
 * Takes a leased job from its worker, so that another worker can continue the call; from now on the first worker's requests are stale. `none`: the call cannot
 * be reconnected or has no snapshot, and nothing has changed; `closed`: its line is closed. The caller has locked the job.
 * @param silent the carrier is not aware that the worker is lost: it is instructed to reconnect the line at once
 */
export async function loseWorker(
  tx: Queryable,
  { state, cancelRequested, organizationId, callId, jobId }: LockedJob,
  silent = false,
): Promise<'lost' | 'closed' | 'none'> {
  if (state !== 'leased' || cancelRequested) return 'none';
  const line = await lineToHandOver(tx, organizationId, callId);
  if (line !== 'open') return line;
  await loseJob(tx, jobId);
  await noteLost(tx, organizationId, callId, silent ? 0 : askSeconds);
  return 'lost';
}
