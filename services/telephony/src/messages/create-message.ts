import { messageAddresses, type MessageCreate } from '@parley/contract';
import { notFound } from '@parley/errors';
import { findStoredResponse } from '@parley/service';
import type { AgentForCall } from '@parley/proto/agents';
import { isId, type OutgoingContext } from '@parley/runtime';
import { refuseOtherProject } from '../books';
import { replayOf, sendMessage, type SendInput, type SentAnswer } from './send-message';
import type { Intake } from '../intake';
import type { Messaging } from './message-batches';
import type { Telephony } from '../telephony';

export interface CreateMessageInput extends SendInput {
  /** Validates the fields. */
  readonly body: () => MessageCreate;
}

/**
 * POST /v1/messages. The idempotency key is checked before any other rule: if the key was already used, even an invalid body gets the stored response or a
 * conflict.
 * @throws AppError if the message is refused
 */
export async function createMessage(
  telephony: Pick<Telephony, 'db' | 'controls' | 'settings' | 'onCommit' | 'notifyMessageSender'> & Intake & Messaging,
  input: CreateMessageInput,
  context: OutgoingContext,
): Promise<SentAnswer> {
  let value: MessageCreate;
  try {
    value = checkedBody(input.body);
  } catch (error) {
    return replayInstead(telephony, input, error);
  }
  const { to, from } = messageAddresses(value);
  const sending = {
    agentId: value.agent_id,
    to,
    from,
    numberId: value.number_id,
    purpose: value.purpose,
    campaignId: value.campaign_id,
    templateId: undefined,
    consent: value.consent === true,
    metadata: value.metadata ?? {},
    async compose(agent: AgentForCall) {
      refuseOtherProject(agent, value.project_id ?? '');
      return { text: value.body, language: value.language };
    },
  };
  return sendMessage(telephony, input, sending, context);
}

function checkedBody(body: () => MessageCreate): MessageCreate {
  const value = body();
  if (!isId('agt', value.agent_id)) throw notFound('agent');
  return value;
}

/** Returns the stored response for the request's key. @throws unknown the given error, if there is no stored response */
export async function replayInstead(
  { db }: Pick<Telephony, 'db'>,
  input: SendInput,
  error: unknown,
): Promise<SentAnswer> {
  const stored = await findStoredResponse(db, input.request(input.organizationId));
  if (stored === undefined) throw error;
  return replayOf(stored);
}
