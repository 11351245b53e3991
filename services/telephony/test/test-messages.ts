import { createHmac } from 'node:crypto';
import { routes, type EventEnvelope, type MessageRecord } from '@parley/contract';
import type { AgentForCall } from '@parley/proto/agents';
import { serviceCaller, type OutgoingContext } from '@parley/runtime';
import { customerCaller, eventually } from '@parley/testing';
import { customer } from './test-caller';
import type { Instance, UnderTest } from './telephony-under-test';

export interface SentMessage {
  readonly key?: string;
  readonly body?: Record<string, unknown>;
  readonly context?: OutgoingContext;
  /** Empty for an operator that names no organization. */
  readonly organizationId?: string;
}

/** POST /v1/messages, as the gateway forwards it. */
export async function send(
  instance: Instance,
  agent: AgentForCall,
  {
    key = '',
    body = {},
    context = customer(agent.organizationId),
    organizationId = agent.organizationId,
  }: SentMessage = {},
) {
  const response = await instance.request(routes.createMessage, {
    caller: context.caller,
    organizationId,
    body: { agent_id: agent.agentId, to: '+14155550123', body: 'See you at ten', ...body },
    key,
  });
  return { ...response, message: response.body };
}

/** POST /v1/agents/{agent_id}/template-messages, as the gateway forwards it. */
export async function sendTemplate(
  instance: Instance,
  agent: AgentForCall,
  body: Record<string, unknown>,
  { key = '', context = customer(agent.organizationId) }: SentMessage = {},
) {
  const response = await instance.request(routes.createTemplateMessage, {
    caller: context.caller,
    params: { agent_id: agent.agentId },
    body: { to: '+14155550123', ...body },
    key,
  });
  return { ...response, message: response.body };
}

export async function readMessage(
  instance: Instance,
  { organizationId }: Pick<AgentForCall, 'organizationId'>,
  messageId: string,
): Promise<MessageRecord> {
  const request = { caller: customerCaller(organizationId), params: { message_id: messageId } };
  return (await instance.request(routes.getMessage, request)).body;
}

/** Waits until the message is in one of these states, and returns it. */
export const messageIn = (
  instance: Instance,
  agent: AgentForCall,
  messageId: string,
  ...statuses: MessageRecord['status'][]
): Promise<MessageRecord> =>
  eventually(async () => {
    const message = await readMessage(instance, agent, messageId);
    return statuses.includes(message.status) ? message : undefined;
  });

export async function listMessages(
  instance: Instance,
  organizationId: string,
  query: Readonly<Record<string, string | number>> = {},
): Promise<{ data: MessageRecord[]; next_cursor: string | null }> {
  return (await instance.request(routes.listMessages, { caller: customerCaller(organizationId), query })).body;
}

/** The events of a message, in the order of their resource_seq. */
export async function eventsOf({ db }: UnderTest, messageId: string): Promise<EventEnvelope[]> {
  const { rows } = await db.query<{ payload: string }>({
    text: `select payload from outbox where ordering_key = $1 order by ordering_seq`,
    values: [messageId],
  });
  return rows.map(({ payload }) => JSON.parse(payload) as EventEnvelope);
}

export const baseUrl = 'https://parley.example';

export interface WebhookOptions {
  readonly carrier?: 'simulator' | 'twilio';
  readonly kind?: 'messages' | 'statuses';
  readonly token?: string;
  readonly query?: string;
  readonly signature?: string;
}

/** Sends a webhook like a carrier, signed as documented. */
export function webhook({ client }: Instance, options: WebhookOptions, form: Record<string, string>) {
  const { carrier = 'simulator', kind = 'messages', token = 'sim-token', query = '' } = options;
  const url = `${baseUrl}/v1/carriers/${carrier}/${kind}${query}`;
  const text = Object.keys(form)
    .sort()
    .map((name) => `${name}${form[name]}`)
    .join('');
  const right = createHmac('sha1', token).update(`${url}${text}`).digest('base64');
  const request = { provider: carrier, url, form, signature: options.signature ?? right };
  return kind === 'messages'
    ? client.receiveCarrierMessage(request, { requestId: 'test', caller: serviceCaller })
    : client.receiveCarrierReport(request, { requestId: 'test', caller: serviceCaller });
}

/** Stores an organization's account at Twilio. */
export function storeAccount(
  instance: Instance,
  organizationId: string,
  { accountSid, authToken }: { readonly accountSid: string; readonly authToken: string },
) {
  const body = { organization_id: organizationId, provider: 'twilio', account_sid: accountSid, auth_token: authToken };
  return instance.request(routes.createCarrierCredential, { caller: customerCaller(organizationId), body });
}
