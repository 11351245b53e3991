import { setTimeout as pause } from 'node:timers/promises';
import { callOfChat, limits, type ChatSessionRecord, type ChatTurnCreate } from '@parley/contract';
import { conflict, notFound } from '@parley/errors';
import type { CreatingRequest, PublicResult } from '@parley/service';
import { isId, type CallContext } from '@parley/runtime';
import { getCall, isOver, readTurns, type Call, refuseSuspended } from '../../books';
import { ask, sendCommand } from '../../lines';
import { chatRecord } from './chat-record.rules';
import type { Telephony } from '../../telephony';

type Needs = Pick<Telephony, 'db' | 'controls' | 'signals' | 'onCommit'>;

/** How long to wait for a turn; less than the maximum duration of a long-poll request. */
const turnMs = 25_000;
/** How long to wait until a chat's record shows that it has ended. */
const overMs = 5_000;
const pollMs = 50;

/** @throws AppError NotFoundError if no such chat exists, it belongs to another organization, or the id is that of a call that is no chat */
async function findChat({ db }: Pick<Telephony, 'db'>, named: string, sessionId: string): Promise<Call> {
  const callId = callOfChat(sessionId);
  if (!isId('call', callId)) throw notFound('chat session');
  const call = await getCall(db, named, callId).catch(() => undefined);
  if (call?.channel !== 'chat') throw notFound('chat session');
  return call;
}

export async function getChat(
  telephony: Pick<Telephony, 'db'>,
  named: string,
  sessionId: string,
): Promise<ChatSessionRecord> {
  return loadRecord(telephony, await findChat(telephony, named, sessionId));
}

async function loadRecord({ db }: Pick<Telephony, 'db'>, call: Call): Promise<ChatSessionRecord> {
  return chatRecord(call, await readTurns(db, call, 0, limits.reportedTurns));
}

export interface ChatTurnInput {
  /** Empty for an operator that specified no organization. */
  readonly organizationId: string;
  readonly sessionId: string;
  /** Validates the fields. */
  readonly body: () => ChatTurnCreate;
  readonly request: (organizationId: string) => CreatingRequest;
}

/**
 * Sends a message to the agent and waits for its reply. Turns are sequential: a message during another turn is refused.
 * @throws AppError NotFoundError; BadRequestError; ConflictError for a chat that has ended, and during another turn; SuspensionError; worker_unreachable if the
 * reply takes too long: a retry with the same Idempotency-Key continues to wait for it
 */
export async function takeChatTurn(
  telephony: Needs,
  { organizationId, sessionId, body, request }: ChatTurnInput,
  context: CallContext,
): Promise<PublicResult> {
  const chat = await findChat(telephony, organizationId, sessionId);
  await refuseSuspended(telephony.controls, { ...chat, status: '' });
  const fields = (): object => {
    const { text } = body();
    return { text };
  };
  const answer = (result: string | null): object => JSON.parse(result ?? '{}') as object;
  const command = { organizationId, callId: chat.callId, type: 'chat', fields, request, answer } as const;
  return sendCommand(telephony, { ...command, again: true, outcomeMs: turnMs }, context);
}

/** Ends a chat. A chat that has already ended is returned unchanged. */
export async function endChat(
  telephony: Needs,
  named: string,
  sessionId: string,
  context: CallContext,
): Promise<ChatSessionRecord> {
  const chat = await findChat(telephony, named, sessionId);
  const { organizationId, callId, status } = chat;
  if (status === 'dialing') throw conflict('the chat is still being connected');
  if (status === 'answered') {
    const command = { callId, type: 'chat', fields: { leaves: true }, waitMs: overMs } as const;
    await ask(telephony, organizationId, command, context.signal);
  }
  let after = chat;
  for (const until = performance.now() + overMs; !isOver(after) && performance.now() < until; await pause(pollMs))
    after = await getCall(telephony.db, organizationId, callId);
  return loadRecord(telephony, after);
}
