import { createHash, createHmac } from 'node:crypto';
import { routes, type EventEnvelope, type MessageRecord } from '@parley/contract';
import type { AgentForCall } from '@parley/proto/agents';
import { documentOf, jsonOf, type OutgoingContext } from '@parley/runtime';
import { customerCaller, eventually } from '@parley/testing';
import { customer } from './caller-of';
import type { Instance, UnderTest } from './telephony-under-test';

export interface SentMessage {
  readonly key?: string;
  readonly body?: Record<string, unknown>;
  readonly context?: OutgoingContext;
  /** Empty: an operator who names none. */
  readonly organizationId?: string;
}

const idempotency = (key: string, route: string, json: string) => ({
  key,
  route,
  fingerprint: createHash('sha256').update(json).digest(),
});

/** POST /v1/messages as the gateway sends it on. */
export async function send(
  { client }: Instance,
  agent: AgentForCall,
  {
    key = '',
    body = {},
    context = customer(agent.organizationId),
    organizationId = agent.organizationId,
  }: SentMessage = {},
) {
  const json = JSON.stringify({ agent_id: agent.agentId, to: '+14155550123', body: 'See you at ten', ...body });
  const request = {
    organizationId,
    body: documentOf('MessageCreate', json),
    idempotency: idempotency(key, 'create-message', json),
  };
  const response = await client.createMessage(request, context);
  return { ...response, message: jsonOf<MessageRecord>(response.document) };
}

/** POST /v1/agents/{agent_id}/template-messages as the gateway sends it on. */
export async function sendTemplate(
  { client }: Instance,
  agent: AgentForCall,
  body: Record<string, unknown>,
  { key = '', context = customer(agent.organizationId) }: SentMessage = {},
) {
  const json = JSON.stringify({ to: '+14155550123', ...body });
  const request = {
    organizationId: context.caller?.organizationId ?? '',
    agentId: agent.agentId,
    body: documentOf('TemplateMessageCreate', json),
    idempotency: idempotency(key, 'create-template-message', json),
  };
  const response = await client.createTemplateMessage(request, context);
  return { ...response, message: jsonOf<MessageRecord>(response.document) };
}

export async function readMessage(
  { client }: Instance,
  { organizationId }: Pick<AgentForCall, 'organizationId'>,
  messageId: string,
): Promise<MessageRecord> {
  return jsonOf((await client.getMessage({ organizationId, messageId }, customer(organizationId))).document);
}

/** The message once it is in one of these states. */
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
  { client }: Instance,
  organizationId: string,
  filter: {
    agentId?: string;
    projectId?: string;
    status?: string;
    direction?: string;
    limit?: number;
    cursor?: string;
  } = {},
): Promise<{ data: MessageRecord[]; next_cursor: string | null }> {
  const { agentId = '', projectId = '', status = '', direction = '', limit = 20, cursor = '' } = filter;
  const request = { organizationId, agentId, projectId, status, direction, page: { limit, cursor } };
  return jsonOf((await client.listMessages(request, customer(organizationId))).document);
}

/** What was told of a message, in the order of its resource_seq. */
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

/** A webhook as a carrier sends it, signed by the documented recipe. */
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
    ? client.receiveCarrierMessage(request, { requestId: 'test' })
    : client.receiveCarrierReport(request, { requestId: 'test' });
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
