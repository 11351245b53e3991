import type { WorkerHandOver } from '@parley/contract';
import { grantSeconds, lineToHandOver } from '../handover';
import { lockLease, type LeaseInput } from '../queue';
import type { Telephony } from '../telephony';
import { keepSlot } from './carrier-lines.sql';
import { freeSlots, lockSlots } from './line-slots.cross-tenant.sql';

/**
 * Whether another worker has room for the call of one that stops; then a slot is kept for it, so that of many calls no more are let go than can be taken up.
 * @throws NotFoundError; BadRequestError; ConflictError for a stale epoch and a call that is over
 */
export function grantHandOver({ db }: Telephony, input: LeaseInput<WorkerHandOver>): Promise<{ granted: boolean }> {
  return db.transaction(async (tx) => {
    const { call } = await lockLease(tx, input);
    const { organizationId, callId } = call;
    if ((await lineToHandOver(tx, organizationId, callId)) !== 'open') return { granted: false };
    await lockSlots(tx);
    if ((await freeSlots(tx)) < 1) return { granted: false };
    await keepSlot(tx, organizationId, callId, grantSeconds);
    return { granted: true };
  });
}
