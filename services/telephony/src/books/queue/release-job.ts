import type { EndedReason } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import { endCall } from '../calls/end-call';
import type { Telephony } from '../../telephony';
import { lockCallOf } from './held-job';
import type { ClaimedJob, LockedJob } from './job.rules';
import { lockJob } from './leases.cross-tenant.sql';
import { countWaiting, putBack } from './waiting.cross-tenant.sql';

type Needs = Pick<Telephony, 'db' | 'onCommit'>;

/** Retry delay of a job that could not be checked because a dependency was unavailable. */
export const restSeconds = 2;

/** Returns a leased job to its queue; it can be assigned again after `delaySeconds`. Locks a counter row, so it must be the last statement of a transaction. */
export async function returnToQueue(
  tx: Queryable,
  { organizationId, jobId }: Pick<LockedJob, 'organizationId' | 'jobId'>,
  delaySeconds = 0,
): Promise<void> {
  await putBack(tx, organizationId, jobId, delaySeconds);
  await countWaiting(tx, new Map([[organizationId, 1]]));
}

/** Returns a claimed job to the queue unassigned; it is due again after `delaySeconds`. */
export async function releaseJob(telephony: Needs, claimed: ClaimedJob, delaySeconds: number): Promise<void> {
  // A chat is in no queue, so it fails; its client retries.
  if (claimed.call.channel === 'chat') return failClaimed(telephony, claimed, 'capacity_unavailable');
  await telephony.db.transaction(async (tx) => {
    const job = await stillClaimed(tx, claimed);
    if (job !== undefined) await returnToQueue(tx, job, delaySeconds);
  });
  telephony.onCommit(true);
}

/** Fails a call that can never be assigned, for example because its publication no longer exists. */
export async function failClaimed(telephony: Needs, claimed: ClaimedJob, endedReason: EndedReason): Promise<void> {
  await telephony.db.transaction(async (tx) => {
    const job = await stillClaimed(tx, claimed);
    if (job === undefined) return;
    const held = await lockCallOf(tx, job);
    await endCall(tx, held, [['fail', { at: held.now, endedReason }]]);
  });
  telephony.onCommit(false);
}

async function stillClaimed(tx: Queryable, claimed: ClaimedJob): Promise<LockedJob | undefined> {
  const job = await lockJob(tx, claimed.call.organizationId, claimed.jobId);
  const unreported = claimed.call.channel === 'chat' || job?.permitted === false;
  return job?.state === 'leased' && job.epoch === claimed.epoch && unreported ? job : undefined;
}
