import { setTimeout as pause } from 'node:timers/promises';
import type { ChatSession, ChatTurn } from '@parley/contract';
import { AppError } from '@parley/errors';
import { getCall, readTurns, type Call } from '../../books';
import { ask } from '../../lines';
import { chatRecord } from './chat-record.rules';
import type { Telephony } from '../../telephony';

/** How long a request waits for a worker, and then for the agent's first message. Together they are below the deadline of a long-poll request. */
const connectMs = 14_000;
const wordsMs = 10_000;
const pollMs = 50;

interface Begun {
  readonly organizationId: string;
  readonly callId: string;
  /** Whether this request created the chat. */
  readonly fresh: boolean;
}

/**
 * Returns the session of a chat once the agent has sent its first message.
 * @throws AppError worker_unreachable
 */
export async function firstWords(
  telephony: Pick<Telephony, 'db' | 'signals' | 'onCommit'>,
  { organizationId, callId, fresh }: Begun,
  signal: AbortSignal,
): Promise<ChatSession> {
  const call = await connected(telephony, organizationId, callId, signal);
  if (fresh && call.status === 'failed') throw unreachable();
  const turns = await readTurns(telephony.db, call, 0, 2);
  // A repeated request: the first message was already returned.
  if (call.status !== 'answered' || turns.length > 1) return sessionOf(chatRecord(call, turns));
  const said = await ask(telephony, organizationId, { callId, type: 'chat', fields: {}, waitMs: wordsMs }, signal);
  const { agent_text: text, status } = JSON.parse(said ?? '{}') as ChatTurn;
  return { ...sessionOf(chatRecord(call, [])), first_message: text, status };
}

const sessionOf = ({ chat_session_id, call_id, agent_id, status, first_message }: ChatSession): ChatSession => ({
  ...{ chat_session_id, call_id, agent_id, status, first_message },
});

async function connected(
  { db }: Pick<Telephony, 'db'>,
  organizationId: string,
  callId: string,
  signal: AbortSignal,
): Promise<Call> {
  for (const until = performance.now() + connectMs; ;) {
    const call = await getCall(db, organizationId, callId);
    if (call.status !== 'dialing') return call;
    if (signal.aborted || performance.now() >= until) throw unreachable();
    await pause(pollMs);
  }
}

const unreachable = (): AppError =>
  new AppError('worker_unreachable', 'no worker took the chat in time', { fields: { retry_after_seconds: 1 } });
