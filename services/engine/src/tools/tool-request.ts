import type { LeasedConnection, LeasedToolSecrets, WebhookTool, ConnectionAction } from '@parley/contract';
import { signatureOf, signingKeyOf, type OutboundRequest } from '@parley/service';

type Prepared = Pick<OutboundRequest, 'method' | 'url' | 'headers' | 'body'>;

export interface ToolSubject {
  readonly agentId: string;
  /** The id of the call, or of the session of a chat. */
  readonly of: { readonly call_id: string } | { readonly chat_session_id: string };
}

export interface PreparedCall {
  readonly toolCallId: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** Adds the customer's headers, except those that the platform sets. */
function joined(own: Readonly<Record<string, string>>, platforms: Readonly<Record<string, string>>) {
  const names = new Set(Object.keys(platforms).map((name) => name.toLowerCase()));
  const kept = Object.entries(own).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...platforms };
}

/** The request of a webhook tool, signed according to Standard Webhooks with every valid secret. Its webhook-id is the id of the tool call. */
export function webhookRequest(
  { url, method }: WebhookTool,
  { signing_secrets: secrets, headers }: LeasedToolSecrets,
  { agentId, of }: ToolSubject,
  call: PreparedCall,
  now: Date,
): Prepared {
  const { toolCallId, name, arguments: values } = call;
  const payload = { type: 'tool_call', ...of, agent_id: agentId, tool_call_id: toolCallId, name, arguments: values };
  const body = Buffer.from(JSON.stringify(payload), 'utf8');
  const timestamp = Math.floor(now.getTime() / 1000);
  const platforms = {
    'content-type': 'application/json',
    'user-agent': 'Parley-Tools/1',
    'webhook-id': toolCallId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureOf(secrets.map(signingKeyOf), toolCallId, timestamp, body),
  };
  return { method, url, headers: joined(headers, platforms), body };
}

/** The arguments cannot be inserted into a path. */
export class PathArgumentError extends Error {}

/**
 * The request of an action. Arguments that are named in its path are inserted there; the others form its JSON body.
 * @throws PathArgumentError if an argument for the path is neither text nor a number, is empty, or would change the structure of the path
 */
export function connectionRequest(
  { base_url: baseUrl, authentication }: LeasedConnection,
  { method, path }: ConnectionAction,
  { toolCallId, arguments: values }: PreparedCall,
): Prepared {
  const inPath = new Set<string>();
  const filled = path.replaceAll(/\{([A-Za-z0-9_-]+)\}/g, (_, name: string) => {
    inPath.add(name);
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
      throw new PathArgumentError(`${name} must be a string or a number`);
    const text = String(value);
    if (text === '' || text === '.' || text === '..' || !text.isWellFormed())
      throw new PathArgumentError(`${name} cannot be used in a path`);
    return encodeURIComponent(text);
  });
  if (filled.split('/').some((segment) => segment === '..' || segment === '.'))
    throw new PathArgumentError('the arguments lead to another path');
  const rest = Object.entries(values).filter(([name]) => !inPath.has(name));
  const platforms = {
    'content-type': 'application/json',
    'user-agent': 'Parley-Tools/1',
    'idempotency-key': toolCallId,
    ...authenticationOf(authentication),
  };
  const body = Buffer.from(JSON.stringify(Object.fromEntries(rest)), 'utf8');
  return { method, url: `${baseUrl}${filled}`, headers: platforms, body };
}

function authenticationOf(authentication: LeasedConnection['authentication']): Readonly<Record<string, string>> {
  const { type, token = '', name = '', value = '' } = authentication;
  if (type === 'bearer') return { authorization: `Bearer ${token}` };
  return type === 'header' ? { [name.toLowerCase()]: value } : {};
}
