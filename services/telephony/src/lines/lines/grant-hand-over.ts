import type { WorkerHandOver } from '@parley/contract';
import { grantSeconds } from '../../dispatch';
import { canBeHandedOver, lockLease, type LeaseInput } from '../../books';
import type { Telephony } from '../../telephony';
import { keepSlot } from './carrier-lines.sql';
import { freeSlots, lockSlots, noteSlots } from './line-slots.cross-tenant.sql';

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
    if (!(await canBeHandedOver(tx, organizationId, callId))) return { granted: false };
    await lockSlots(tx);
    if ((await freeSlots(tx)) < 1) return { granted: false };
    await keepSlot(tx, organizationId, callId, grantSeconds);
    return { granted: true };
  });
}

/** Records how many calls over lines a hosted worker conducts at most, because only hosted workers adopt lines. */
export async function noteWorkerSlots(
  { db }: Pick<Telephony, 'db'>,
  organizationId: string,
  workerId: string,
  slots: number | undefined,
): Promise<void> {
  if (organizationId === '' && slots !== undefined) await noteSlots(db, workerId, slots);
}
