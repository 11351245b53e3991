import { AppError } from '@parley/errors';
import type { OutgoingContext } from '@parley/runtime';
import { cancelCall } from '../admission';
import { draftCallsOf } from '../calls';
import type { Telephony } from '../telephony';

/** Ends the calls that the draft of an agent's workflow conducts, which its PIN let in. One that ended meanwhile is left as it is. */
export async function endDraftCalls(
  telephony: Telephony,
  organizationId: string,
  agentId: string,
  context: OutgoingContext,
): Promise<void> {
  for (const callId of await draftCallsOf(telephony.db, organizationId, agentId)) {
    await cancelCall(telephony, organizationId, callId, context).catch((error: unknown) => {
      if (!(error instanceof AppError && error.code === 'ConflictError')) throw error;
    });
  }
}
