import { conflict } from '@parley/errors';
import { append } from '@parley/outbox';
import { databaseNow, type OutgoingContext } from '@parley/runtime';
import { auditEvent } from '@parley/service';
import { type Call, eraseCalls, getCall } from '../../books';
import type { Telephony } from '../../telephony';

/**
 * Erases a call that is over: its numbers, variables, metadata, transcript, recording and events. The accounting record stays. A call that is already erased is
 * returned unchanged.
 * @throws NotFoundError; ConflictError for a call that is not over
 */
export async function eraseCall(
  telephony: Pick<Telephony, 'db' | 'onCommit' | 'erasuresWait'>,
  named: string,
  callId: string,
  context: OutgoingContext,
): Promise<Call> {
  const { organizationId, erasedAt } = await getCall(telephony.db, named, callId);
  if (erasedAt === null) {
    await telephony.db.transaction(async (tx) => {
      const erased = await eraseCalls(tx, { organizationId, erasureId: null }, [callId], 'calls');
      if (erased.length === 0) return;
      const act = { organizationId, action: 'call.erased', subject: callId, detail: {} };
      await append(tx, [auditEvent(act, await databaseNow(tx), context)]);
    });
    telephony.onCommit(false);
    telephony.erasuresWait();
  }
  const after = await getCall(telephony.db, organizationId, callId);
  if (after.erasedAt === null) throw conflict(`the call is ${after.status}: only a call that has ended can be erased`);
  return after;
}
