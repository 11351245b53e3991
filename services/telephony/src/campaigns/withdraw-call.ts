import { markWithdrawn } from './attempts.sql';
import { lockCallAndJob } from '../books';
import { cancelNow } from '../intake';
import type { Telephony } from '../telephony';

/** A placed call that must no longer be dialed. */
export interface Withdrawal {
  readonly organizationId: string;
  readonly attemptId: string;
  readonly callId: string;
}

/** Withdraws a call that was not dialed yet; a call that is being dialed or in progress continues. */
export async function withdrawCall(
  telephony: Pick<Telephony, 'db' | 'onCommit'>,
  { organizationId, attemptId, callId }: Withdrawal,
): Promise<void> {
  await telephony.db.transaction(async (tx) => {
    const held = await lockCallAndJob(tx, organizationId, callId);
    if (held === undefined) return;
    const { status } = held.call;
    if (status !== 'queued' && status !== 'needs_review') return;
    // The call was approved after its job was read: the next pass of the campaign withdraws it.
    if (status === 'queued' && held.job === undefined) return;
    await markWithdrawn(tx, organizationId, attemptId);
    await cancelNow(tx, held, undefined);
  });
  telephony.onCommit(false);
}
