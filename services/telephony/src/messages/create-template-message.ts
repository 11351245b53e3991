import {
  limits,
  messageAddresses,
  renderTemplate,
  type MessageTemplate,
  type TemplateMessageCreate,
  type VariablesConfig,
  textError,
} from '@parley/contract';
import { badRequest, notFound } from '@parley/errors';
import { findStoredResponse } from '@parley/service';
import type { AgentForCall } from '@parley/proto/agents';
import { isId, jsonOf, type OutgoingContext } from '@parley/runtime';
import { replayInstead } from './create-message';
import { refuseOtherProject } from '../books';
import { replayOf, sendMessage, type SendInput, type SentAnswer } from './send-message';
import type { Intake } from '../intake';
import type { Messaging } from './message-batches';
import type { Telephony } from '../telephony';

type Needs = Pick<Telephony, 'db' | 'agents' | 'controls' | 'settings' | 'onCommit' | 'notifyMessageSender'> &
  Intake &
  Messaging;

export interface CreateTemplateMessageInput extends SendInput {
  readonly agentId: string;
  /** Validates the fields. */
  readonly body: () => TemplateMessageCreate;
}

/**
 * POST /v1/agents/{agent_id}/template-messages (docs/reference/variables-and-workflows.md#templates): renders the template in the requested language with slots
 * and variables, and sends the text like any other message. Protected variables are replaced by the defaults that the agent declares.
 */
export async function createTemplateMessage(
  telephony: Needs,
  input: CreateTemplateMessageInput,
  context: OutgoingContext,
): Promise<SentAnswer> {
  if (!isId('agt', input.agentId)) return replayInstead(telephony, input, notFound('agent'));
  let value: TemplateMessageCreate;
  try {
    value = input.body();
  } catch (error) {
    return refuseFields(telephony, input, error, context);
  }
  const { to, from } = messageAddresses(value);
  const sending = {
    agentId: input.agentId,
    to,
    from,
    numberId: value.number_id,
    purpose: value.purpose,
    campaignId: undefined,
    templateId: value.template_id,
    consent: value.consent === true,
    metadata: value.metadata ?? {},
    compose: (agent: AgentForCall) => compose(telephony, agent, value, context),
  };
  return sendMessage(telephony, input, sending, context);
}

/** The idempotency key is checked first, then the agent id: an unknown agent is 404 even if the body is invalid. */
async function refuseFields(
  telephony: Needs,
  { organizationId, agentId, request }: CreateTemplateMessageInput,
  error: unknown,
  context: OutgoingContext,
): Promise<SentAnswer> {
  const earlier = organizationId === '' ? undefined : await findStoredResponse(telephony.db, request(organizationId));
  if (earlier !== undefined) return replayOf(earlier);
  const { agent } = await telephony.admission.ask(organizationId, agentId, context);
  return replayInstead(telephony, { organizationId: agent.organizationId, request }, error);
}

async function compose(
  { agents }: Pick<Telephony, 'agents'>,
  agent: AgentForCall,
  value: TemplateMessageCreate,
  context: OutgoingContext,
): Promise<{ readonly text: string; readonly language: string }> {
  refuseOtherProject(agent, value.project_id ?? '');
  const { organizationId } = agent;
  const { document } = await agents.getMessageTemplate({ organizationId, templateId: value.template_id }, context);
  const rendered = renderTemplate(jsonOf<MessageTemplate>(document), {
    language: value.language ?? '',
    primary: agent.language,
    slots: value.slots ?? {},
    variables: value.variables ?? {},
    own: defaultsOf(agent),
  });
  const problem = textError(rendered.text, limits.messageBody);
  if (problem !== undefined) throw badRequest(`slots result in a message that ${problem}`);
  return rendered;
}

/** The declared defaults of the agent's variables. */
function defaultsOf({ variables }: AgentForCall): Readonly<Record<string, unknown>> {
  if (variables === undefined) return {};
  const declared = jsonOf<VariablesConfig>(variables).variables;
  return Object.fromEntries(
    declared.flatMap(({ name, default: value }) => (value === undefined ? [] : [[name, value]])),
  );
}
