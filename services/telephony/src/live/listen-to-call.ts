import { invalidField, notFound } from '@parley/errors';
import { idempotencyKeyFrom } from '@parley/service';
import { isId, type CallContext } from '@parley/runtime';
import { organizationOfCall } from '../calls';
import { requireControl, sendCommand } from '../live-control';
import { lockLease } from '../queue';
import type { Telephony } from '../telephony';

export interface ListenInput {
  /** Empty for an operator who names none. */
  readonly organizationId: string;
  readonly callId: string;
  readonly again: boolean;
  /** Only checks the permission and starts nothing. */
  readonly judgeOnly: boolean;
}

/**
 * Has the worker of a call send its sound to those who listen in, for as long as any does.
 * @throws AppError NotFoundError; ConflictError for a call that is not in progress; control_unavailable; worker_unreachable
 */
export async function listenToCall(
  telephony: Telephony,
  { organizationId: named, callId, again, judgeOnly }: ListenInput,
  context: CallContext,
): Promise<void> {
  if (judgeOnly) return judgeListening(telephony, named, callId);
  const request = (owner: string) => idempotencyKeyFrom(owner, undefined);
  await sendCommand(
    telephony,
    { organizationId: named, callId, type: 'listen', fields: () => ({}), request, again },
    context,
  );
}

async function judgeListening(telephony: Telephony, named: string, callId: string): Promise<void> {
  if (!isId('call', callId)) throw notFound('call');
  const organizationId = await organizationOfCall(telephony.db, named, callId);
  if (organizationId === '') throw notFound('call');
  await requireControl(telephony, organizationId, callId, 'listen');
}

/**
 * The call of a lease that a worker holds.
 * @throws AppError NotFoundError; BadRequestError without an epoch; ConflictError for a stale epoch and a call that is over
 */
export function checkLease({ db }: Telephony, organizationId: string, jobId: string, epoch: number): Promise<string> {
  const fields = () => {
    if (epoch < 1) throw invalidField('epoch', 'required', 'must be the epoch of the lease');
    return { epoch };
  };
  return db.transaction(async (tx) => {
    const { call } = await lockLease(tx, { organizationId, jobId, fields });
    return call.callId;
  });
}
