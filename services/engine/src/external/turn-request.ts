import { signatureOf, signingKeyOf } from '@parley/service';
import type { Message } from '../core/effects';

/** The id of the call, or of the session of a chat. */
export interface TurnSubject {
  readonly agentId: string;
  readonly of: { readonly call_id: string } | { readonly chat_session_id: string };
  readonly variables: Readonly<Record<string, unknown>>;
}

export interface TurnRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer<ArrayBuffer>;
}

/**
 * The request to the customer's server for the agent's next text. Its webhook-id is the id of the turn, so a retry has the same one.
 * @param history what was said before; the caller's last words are the turn itself
 * @param secrets empty: the request is not signed
 */
export function turnRequest(
  { agentId, of, variables }: TurnSubject,
  { turnId, history }: { readonly turnId: string; readonly history: readonly Message[] },
  secrets: readonly string[],
  now: Date,
): TurnRequest {
  const heard = history.slice(history.findLastIndex(({ role }) => role !== 'user') + 1).map(({ text }) => text);
  const transcript = history.flatMap(({ role, text }) =>
    role === 'tool' ? [] : [{ speaker: role === 'user' ? 'caller' : 'agent', text }],
  );
  const text = heard.join(' ');
  const payload = { type: 'turn', ...of, agent_id: agentId, turn_id: turnId, text, transcript, variables };
  const body = Buffer.from(JSON.stringify(payload), 'utf8');
  const id = `${'call_id' in of ? of.call_id : of.chat_session_id}_${turnId}`;
  const timestamp = Math.floor(now.getTime() / 1000);
  const signature = { 'webhook-signature': signatureOf(secrets.map(signingKeyOf), id, timestamp, body) };
  return {
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'user-agent': 'Parley-Turns/1',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      ...(secrets.length > 0 && signature),
    },
    body,
  };
}
