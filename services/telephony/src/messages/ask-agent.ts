import { chatSessionOf, type ChatSession, type ChatTurn } from '@parley/contract';
import { AppError, notFound } from '@parley/errors';
import type { CallContext, Queryable } from '@parley/runtime';
import type { CreatingRequest } from '@parley/service';
import { createChat, takeChatTurn, type Intake } from '../intake';
import type { Network } from '../network';
import type { Telephony } from '../telephony';
import type { DueReply } from './due-replies.cross-tenant.sql';
import type { Message } from './message.rules';
import { chatOfPair, noteChatOfReply } from './replies.sql';

type Needs = Pick<
  Telephony,
  'db' | 'controls' | 'workers' | 'publications' | 'signals' | 'settings' | 'openOrganization' | 'onCommit'
> &
  Pick<Network, 'sip'> &
  Intake;

export interface AgentReply {
  /** Empty: the agent says nothing. */
  readonly text: string;
  readonly callId: string;
}

/**
 * Asks the agent for its answer, in the chat of this pair of numbers or in a new one (ADR 124). The chat is noted before the agent is asked, so that a process
 * that goes on after a crash waits for the same answer.
 * @throws AppError as for a chat and its turns; NotFoundError if the message was erased
 */
export async function askAgent(
  telephony: Needs,
  due: DueReply,
  message: Message,
  context: CallContext,
): Promise<AgentReply> {
  const { organizationId, messageId } = due;
  const callId = due.callId ?? (await chatOfPair(telephony.db, due)) ?? (await newChat(telephony, due, context));
  if (callId !== due.callId) await noteChat(telephony.db, due, callId);
  const key = `${messageId}:${callId}:${due.refusals}`;
  const input = {
    organizationId,
    sessionId: chatSessionOf(callId),
    body: () => ({ text: message.body }),
    request: () => requestOf(organizationId, 'reply-turn', key),
  };
  const { body } = await takeChatTurn(telephony, input, context);
  return { text: (body as ChatTurn).agent_text, callId };
}

/** The sender wrote first: what the agent says at the beginning of a chat is not sent. */
async function newChat(telephony: Needs, due: DueReply, context: CallContext): Promise<string> {
  const { organizationId, agentId, messageId, attempts } = due;
  let callId = '';
  const input = {
    organizationId,
    agentId,
    body: () => ({}),
    request: () => requestOf(organizationId, 'reply-chat', `${messageId}:${attempts}`),
    visitor: {
      admit: async (tx: Queryable, call: { readonly callId: string }) => {
        callId = call.callId;
        await noteChat(tx, due, callId);
      },
    },
  };
  const { body } = await createChat(telephony, input, context);
  if ((body as ChatSession).status !== 'open') throw new AppError('worker_unreachable', 'the chat was not opened');
  return callId;
}

async function noteChat(tx: Queryable, due: DueReply, callId: string): Promise<void> {
  if (!(await noteChatOfReply(tx, due, callId))) throw notFound('message');
}

const requestOf = (organizationId: string, route: string, key: string): CreatingRequest => ({
  organizationId,
  route,
  key,
  fingerprint: Buffer.alloc(32),
});
