import type { WorkerHandOver } from '@parley/contract';
import { grantSeconds } from '../../dispatch';
import { lockLease, type LeaseInput, lineToHandOver } from '../../books';
import type { Telephony } from '../../telephony';
import { keepSlot } from './carrier-lines.sql';
import { freeSlots, lockSlots } from './line-slots.cross-tenant.sql';

/**
 * Grants a hand-over if another worker has a free slot for the call of a worker that stops. The slot is kept for the call, so that a stopping worker does not
 * release more calls than other workers can adopt.
 * @throws NotFoundError; BadRequestError; ConflictError for a stale epoch and a call that is over
 */
export function grantHandOver(
  { db }: Pick<Telephony, 'db'>,
  input: LeaseInput<WorkerHandOver>,
): Promise<{ granted: boolean }> {
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
