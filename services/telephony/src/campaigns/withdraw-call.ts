import { markWithdrawn } from './attempts.sql';
import { lockCall } from '../calls';
import { lockJobOfCall } from '../queue';
import { cancelNow } from '../admission';
import type { Telephony } from '../telephony';

/** A call that was placed and is not to be dialled any more. */
export interface Withdrawal {
  readonly organizationId: string;
  readonly attemptId: string;
  readonly callId: string;
}

/** Takes a call back that no one was dialled for; one that is being dialled or talked goes on. */
export async function withdrawCall(
  telephony: Pick<Telephony, 'db' | 'onCommit'>,
  { organizationId, attemptId, callId }: Withdrawal,
): Promise<void> {
  await telephony.db.transaction(async (tx) => {
    const job = await lockJobOfCall(tx, organizationId, callId);
    const locked = await lockCall(tx, organizationId, callId);
    if (locked === undefined) return;
    const { status } = locked.call;
    if (status !== 'queued' && status !== 'needs_review') return;
    // Approved after the look for its job: the next pass of the campaign finds it.
    if (status === 'queued' && job === undefined) return;
    await markWithdrawn(tx, organizationId, attemptId);
    await cancelNow(tx, locked.call, locked.now, job, undefined);
  });
  telephony.onCommit(false);
}
