import type { EndedReason } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import { lockCall, advanceThrough, recordSteps, anyUnadopted, lockUnadopted, finishJob, lockJob } from '../../books';
import type { Telephony } from '../../telephony';

type Needs = Pick<Telephony, 'db' | 'onCommit'>;

interface Unadopted {
  readonly jobId: string;
  readonly organizationId: string;
  readonly callId: string;
}

/** Fails one test call whose token expired before a worker connected, and releases its reservation. False: there is no such call. */
export async function failUnadopted(telephony: Needs): Promise<boolean> {
  if (!(await anyUnadopted(telephony.db))) return false;
  const failed = await telephony.db.transaction(async (tx) => {
    const job = await lockUnadopted(tx);
    if (job === undefined) return false;
    await fail(tx, job, 'capacity_unavailable', 'not_connected');
    return true;
  });
  if (failed) telephony.onCommit(false);
  return failed;
}

/** Fails a test call that must no longer be conducted, unless a worker has adopted it in the meantime. */
export async function failAdoptable(
  telephony: Needs,
  { jobId, organizationId, callId }: Unadopted,
  endedReason: EndedReason,
): Promise<void> {
  await telephony.db.transaction(async (tx) => {
    const job = await lockJob(tx, organizationId, jobId);
    if (job?.state === 'adoptable') await fail(tx, { jobId, organizationId, callId }, endedReason);
  });
  telephony.onCommit(false);
}

async function fail(
  tx: Queryable,
  { jobId, organizationId, callId }: Unadopted,
  endedReason: EndedReason,
  reasonDetail?: string,
): Promise<void> {
  const locked = await lockCall(tx, organizationId, callId);
  if (locked === undefined) throw new Error(`job ${jobId} has no call`);
  const { call, now } = locked;
  const facts = { at: now, endedReason, ...(reasonDetail !== undefined && { reasonDetail }) };
  await recordSteps(tx, call, advanceThrough(call, [['fail', facts]]), now);
  await finishJob(tx, jobId, true);
}
