import { limits, type CallTuning } from '@parley/contract';
import { AppError, invalidField } from '@parley/errors';
import type { AgentForCall } from '@parley/proto/agents';
import { documentOf, jsonOf, serviceCaller, type OutgoingContext } from '@parley/runtime';
import { forgetPinAttempt, pinAttemptInSeconds, takePinAttempt } from './pin-attempts.sql';
import type { Telephony } from '../telephony';

/**
 * The agent with the draft of its workflow in place of what it has published, for a caller who gave its PIN at a number.
 * @throws BadRequestError for a PIN that is not armed; rate_limited where too many were wrong at the number
 */
export async function withDraftOf(
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
  if (workflow === undefined) throw invalidField('pin', 'not_allowed', 'is not the PIN that is armed');
  await forgetPinAttempt(db, organizationId, to, attempt);
  const tuning: Partial<CallTuning> = agent.tuning === undefined ? {} : jsonOf(agent.tuning);
  return { ...agent, tuning: documentOf('CallTuning', { ...tuning, workflow: jsonOf(workflow) }) };
}
