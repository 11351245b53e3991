import { invalidField, notFound } from '@parley/errors';
import { idempotencyKeyFrom } from '@parley/service';
import { isId, type CallContext } from '@parley/runtime';
import { organizationOfCall, lockLease } from '../../books';
import { requireControl, sendCommand } from '../live-control/send-command';
import type { Telephony } from '../../telephony';

export interface ListenInput {
  /** Empty for an operator that specified no organization. */
  readonly organizationId: string;
  readonly callId: string;
  readonly again: boolean;
  /** Only check the permission, without starting anything. */
  readonly checkOnly: boolean;
}

/**
 * Makes the worker of a call send the call's audio for listening in, as long as at least one listener is connected.
 * @throws AppError NotFoundError; ConflictError for a call that is not in progress; control_unavailable; worker_unreachable
 */
export async function listenToCall(
  telephony: Pick<Telephony, 'db' | 'signals' | 'onCommit'>,
  { organizationId: named, callId, again, checkOnly }: ListenInput,
  context: CallContext,
): Promise<void> {
  if (checkOnly) return checkListening(telephony, named, callId);
  const request = (owner: string) => idempotencyKeyFrom(owner, undefined);
  await sendCommand(
    telephony,
    { organizationId: named, callId, type: 'listen', fields: () => ({}), request, again },
    context,
  );
}

async function checkListening(telephony: Pick<Telephony, 'db'>, named: string, callId: string): Promise<void> {
  if (!isId('call', callId)) throw notFound('call');
  const organizationId = await organizationOfCall(telephony.db, named, callId);
  if (organizationId === '') throw notFound('call');
  await requireControl(telephony, organizationId, callId, 'listen');
}

/**
 * Checks a worker's lease and returns the id of its call.
 * @throws AppError NotFoundError; BadRequestError without an epoch; ConflictError for a stale epoch and a call that is over
 */
export function checkLease(
  { db }: Pick<Telephony, 'db'>,
  organizationId: string,
  jobId: string,
  epoch: number,
): Promise<string> {
  const fields = () => {
    if (epoch < 1) throw invalidField('epoch', 'required', 'must be the epoch of the lease');
    return { epoch };
  };
  return db.transaction(async (tx) => {
    const { call } = await lockLease(tx, { organizationId, jobId, fields });
    return call.callId;
  });
}
