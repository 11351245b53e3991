import { MessageCreate, messageAddresses, validate } from '@parley/contract';
import { notFound } from '@parley/errors';
import { recall } from '@parley/service';
import type { AgentForCall } from '@parley/proto/agents';
import { isId, type OutgoingContext } from '@parley/runtime';
import { refuseOtherProject } from './refuse-other-project';
import { replayOf, sendMessage, type SendInput } from './send-message';
import type { Telephony } from './telephony';
import type { Written } from './wallet';

export interface CreateMessageInput extends SendInput {
  /** The parsed body. */
  readonly body: unknown;
}

/**
 * POST /v1/messages. The key comes before every other rule: a body that is refused replays or conflicts where its key was used.
 * @throws AppError whatever refuses it
 */
export async function createMessage(
  telephony: Telephony,
  input: CreateMessageInput,
  context: OutgoingContext,
): Promise<Written> {
  const checked = checkedBody(input.body);
  if ('fault' in checked) return replayInstead(telephony, input, checked.fault);
  const { value, ignored } = checked;
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
  return { ...(await sendMessage(telephony, input, sending, context)), ignored };
}

type Checked = ReturnType<typeof validate<MessageCreate>> | { readonly fault: unknown };

function checkedBody(body: unknown): Checked {
  try {
    const checked = validate(MessageCreate, body, { unknown: 'ignore' });
    if (!isId('agt', checked.value.agent_id)) throw notFound('agent');
    return checked;
  } catch (fault) {
    return { fault };
  }
}

/** What was answered under the request's key; without one, the fault. */
export async function replayInstead({ db }: Telephony, input: SendInput, fault: unknown): Promise<Written> {
  const remembered = await recall(db, input.request(input.organizationId));
  if (remembered === undefined) throw fault;
  return { ...replayOf(remembered), ignored: [] };
}
