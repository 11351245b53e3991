import { type CallTuning, limits } from '@parley/contract';
import { AppError, invalidField } from '@parley/errors';
import type { AgentForCall } from '@parley/proto/agents';
import { documentOf, jsonOf, type OutgoingContext, serviceCaller } from '@parley/runtime';
import type { Telephony } from '../../telephony';
import { cancelCall } from '../admission/cancel-call';
import { listDraftCalls } from '../../books';
import { forgetPinAttempt, pinAttemptInSeconds, takePinAttempt } from './pin-attempts.sql';

/**
 * Returns the agent with the draft of its workflow instead of the published one, for a caller who entered the draft's PIN at a number.
 * @throws BadRequestError for a PIN that is not armed; rate_limited after too many wrong PINs at the number
 */
export async function switchToDraft(
  { db, agents }: Pick<Telephony, 'db' | 'agents'>,
  agent: AgentForCall,
  { to, pin }: { readonly to: string; readonly pin: string },
  context: OutgoingContext,
): Promise<AgentForCall> {
  const { organizationId, agentId } = agent;
  const attempt = await takePinAttempt(db, organizationId, to, limits.wrongPinsPerHour);
  if (attempt === undefined) {
    throw new AppError('rate_limited', 'too many wrong PINs at this number', {
      fields: { retry_after_seconds: await pinAttemptInSeconds(db, organizationId, to) },
    });
  }
  const { workflow } = await agents.openDraft({ organizationId, agentId, pin }, { ...context, caller: serviceCaller });
  if (workflow === undefined) throw invalidField('pin', 'not_allowed', 'is wrong, or no PIN is active');
  await forgetPinAttempt(db, organizationId, to, attempt);
  const tuning: Partial<CallTuning> = agent.tuning === undefined ? {} : jsonOf(agent.tuning);
  return { ...agent, tuning: documentOf('CallTuning', { ...tuning, workflow: jsonOf(workflow) }) };
}

/** Whether callers may currently enter a PIN for the draft of the agent's workflow. False for a deleted agent. */
export async function isDraftArmed(
  { agents }: Pick<Telephony, 'agents'>,
  organizationId: string,
  agentId: string,
  context: OutgoingContext,
): Promise<boolean> {
  const asked = agents.openDraft({ organizationId, agentId, pin: '' }, { ...context, caller: serviceCaller });
  const { armed } = await asked.catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'NotFoundError') return { armed: false };
    throw error;
  });
  return armed;
}

/** Ends the calls that run on the draft of an agent's workflow because the caller entered its PIN. Calls that ended in the meantime remain unchanged. */
export async function endDraftCalls(
  telephony: Pick<Telephony, 'db' | 'onCommit' | 'linesDue'>,
  organizationId: string,
  agentId: string,
  context: OutgoingContext,
): Promise<void> {
  for (const callId of await listDraftCalls(telephony.db, organizationId, agentId)) {
    await cancelCall(telephony, organizationId, callId, context).catch((error: unknown) => {
      if (!(error instanceof AppError && error.code === 'ConflictError')) throw error;
    });
  }
}
