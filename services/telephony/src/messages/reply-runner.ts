import { randomUUID } from 'node:crypto';
import { AppError, notFound } from '@parley/errors';
import {
  newTraceparent,
  poller,
  serviceCaller,
  type Background,
  type CallContext,
  type Logger,
  type Queryable,
} from '@parley/runtime';
import { chatSessionOf, type ChatSession, type ChatTurn } from '@parley/contract';
import type { CreatingRequest } from '@parley/service';
import { findCall, pausedScopes } from '../books';
import { type Intake, createChat, takeChatTurn } from '../intake';
import type { Network } from '../network';
import type { Telephony } from '../telephony';
import type { Messaging } from './message-batches';
import { deleteOldReplies, takeReply, type DueReply } from './due-replies.cross-tenant.sql';
import { findMessage } from './messages.sql';
import { confirmationIn } from './reply.rules';
import { chatOfReply, endReply, postponeReply, chatOfPair, noteChatOfReply } from './replies.sql';
import { sendReply } from './send-reply';
import type { Message } from './message.rules';

type Needs = Pick<
  Telephony,
  | 'db'
  | 'controls'
  | 'workers'
  | 'publications'
  | 'signals'
  | 'settings'
  | 'openOrganization'
  | 'onCommit'
  | 'notifyMessageSender'
> &
  Pick<Network, 'sip'> &
  Intake &
  Messaging;

/** Maximum of replies under way in a process, in total and per organization. */
const together = 16;
const ofOne = 8;
/** A chat is begun in 24 s at most, and a turn is waited for 25 s. */
const deadlineMs = 75_000;
const leaseSeconds = 90;
const attemptsAtMost = 8;

export interface ReplyRunner extends Background {
  /** Called when a reply may be waiting. */
  wake(): void;
}

/**
 * Answers incoming messages (ADR 124): confirms STOP, START and HELP, and has agents answer. Every replica runs this loop; row locks distribute the replies. They
 * are new work and wait during maintenance, and while their organization or agent is suspended.
 */
export function createReplyRunner(telephony: Needs, log: Logger): ReplyRunner {
  const underWay = new Map<string, { readonly organizationId: string; readonly done: Promise<void> }>();
  const stopping = new AbortController();

  const busy = (): string[] => {
    const owners = [...underWay.values()].map(({ organizationId }) => organizationId);
    return [...new Set(owners)].filter((id) => owners.filter((other) => other === id).length >= ofOne);
  };
  const run = async (signal: AbortSignal): Promise<void> => {
    while (underWay.size < together && !signal.aborted) {
      const paused = await pausedScopes(telephony.controls);
      if (paused === undefined) return;
      const skipped = [...paused.organizationIds, ...busy()];
      const due = await takeReply(telephony.db, { skipped, heldAgents: paused.agentIds, leaseSeconds });
      if (due === undefined) return;
      const { organizationId, messageId } = due;
      const done = answer(telephony, due, stopping.signal, log).finally(() => {
        underWay.delete(messageId);
        polling.wake();
      });
      underWay.set(messageId, { organizationId, done });
    }
  };
  const polling = poller({ name: 'message-replies', everyMs: 500, run, log });
  return {
    name: polling.name,
    start: () => polling.start(),
    wake: () => polling.wake(),
    async stop() {
      stopping.abort();
      await polling.stop();
      await Promise.all([...underWay.values()].map(({ done }) => done));
    },
  };
}

/** Never rejects. */
async function answer(telephony: Needs, due: DueReply, stopping: AbortSignal, log: Logger): Promise<void> {
  const context: CallContext = {
    caller: serviceCaller,
    requestId: randomUUID(),
    traceparent: newTraceparent(),
    // A process that stops waits for no agent: another one waits for the same answer.
    signal: AbortSignal.any([stopping, AbortSignal.timeout(deadlineMs)]),
    log,
  };
  try {
    await send(telephony, due, context);
    await endReply(telephony.db, due);
  } catch (error) {
    const fields = { err: error, message_id: due.messageId };
    try {
      if (isFinal(error) || due.attempts >= attemptsAtMost) {
        log.warn(fields, 'a message will not be answered');
        await endReply(telephony.db, due);
      } else await tryAgain(telephony, due, error);
    } catch (second) {
      log.warn({ ...fields, err: second }, 'a reply will be retried after its lease');
    }
  }
}

async function send(telephony: Needs, due: DueReply, context: CallContext): Promise<void> {
  const { organizationId, messageId, agentId, kind, language } = due;
  const message = await findMessage(telephony.db, organizationId, messageId);
  if (message === undefined) return;
  if (kind !== 'agent') {
    const text = confirmationIn(language, kind);
    const confirmation = { message, text, language: '', translation: undefined, metadata: { confirms: kind } };
    await sendReply(telephony, { ...confirmation, confirmsOptOut: kind === 'stop' }, context);
    return;
  }
  const { agent, translation, answersMessages } = await telephony.admission.ask(organizationId, agentId, context);
  if (!answersMessages || agent.status === 'inactive') return;
  const { text, callId } = await askAgent(telephony, due, message, context);
  if (text.trim() === '') return;
  // The message may have been erased while the agent answered.
  if ((await findMessage(telephony.db, organizationId, messageId)) === undefined) return;
  const metadata = { call_id: callId };
  await sendReply(telephony, { message, text, language: '', translation, metadata, confirmsOptOut: false }, context);
}

/** Errors that remain: of the agent's configuration, of the wallet, and of what no longer exists. */
const isFinal = (error: unknown): boolean =>
  error instanceof AppError && (error.status === 400 || error.status === 402 || error.status === 404);

/** A chat that is over is not asked again; one that refused the message is offered it as a new turn. */
async function tryAgain({ db }: Pick<Telephony, 'db'>, due: DueReply, error: unknown): Promise<void> {
  const { organizationId, messageId } = due;
  const callId = await chatOfReply(db, due);
  const call = callId === undefined ? undefined : await findCall(db, organizationId, callId);
  const refused = error instanceof AppError && error.code === 'ConflictError' && call?.status === 'answered';
  const leaves = call?.status !== 'answered' && call?.status !== 'dialing';
  await postponeReply(db, { organizationId, messageId }, { seconds: Math.min(60, 2 ** due.attempts), refused, leaves });
}

/** Deletes replies of earlier days. */
export function createReplyPruner(telephony: Pick<Telephony, 'db'>, log: Logger): Background {
  const batch = 500;
  const run = async (signal: AbortSignal): Promise<void> => {
    let deleted: number;
    do deleted = await deleteOldReplies(telephony.db, batch);
    while (deleted === batch && !signal.aborted);
  };
  return poller({ name: 'reply-pruner', everyMs: 600_000, run, log });
}

type ChatNeeds = Pick<
  Telephony,
  'db' | 'controls' | 'workers' | 'publications' | 'signals' | 'settings' | 'openOrganization' | 'onCommit'
> &
  Pick<Network, 'sip'> &
  Intake;

interface AgentReply {
  /** Empty: the agent says nothing. */
  readonly text: string;
  readonly callId: string;
}

/**
 * Asks the agent for its answer, in the chat of this pair of numbers or in a new one (ADR 124). The chat is noted before the agent is asked, so that a process
 * that goes on after a crash waits for the same answer.
 * @throws AppError as for a chat and its turns; NotFoundError if the message was erased
 */
async function askAgent(
  telephony: ChatNeeds,
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
async function newChat(telephony: ChatNeeds, due: DueReply, context: CallContext): Promise<string> {
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
