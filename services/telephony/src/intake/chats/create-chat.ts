import { setTimeout as pause } from 'node:timers/promises';
import {
  chatConnectSeconds,
  needsOfChat,
  type ChatSessionCreate,
  type ChatSession,
  type ChatTurn,
} from '@parley/contract';
import { conflict, notFound, AppError } from '@parley/errors';
import { creating, findStoredResponse, type CreatingRequest, type PublicResult } from '@parley/service';
import { isId, type CallContext } from '@parley/runtime';
import { resolveRequest, writeAdoptableCall, type VisitorRules } from '../admission/adoptable-call';
import { refuseBlockers, whyNoChat } from '../../dispatch';
import { loadOrCreateState, refuseSuspended, noAdoptionToken, getCall, readTurns, type Call } from '../../books';
import type { Intake } from '../admission/admission-batches';
import type { Network } from '../../network';
import type { Telephony } from '../../telephony';
import { ask } from '../../lines';
import { chatRecord } from './chat-record.rules';

export interface CreateChatInput {
  /** Empty for an operator that specified no organization: the agent's organization applies. */
  readonly organizationId: string;
  readonly agentId: string;
  /** Validates the fields. */
  readonly body: () => ChatSessionCreate;
  readonly request: (organizationId: string) => CreatingRequest;
  /** Absent: a chat of a user with a key, which inactive agents have too. */
  readonly visitor?: VisitorRules;
}

/**
 * Starts a chat and waits for the agent's first message (ADR 120). Inactive agents can chat too, so that they can be tested before activation.
 * @throws AppError NotFoundError, BadRequestError, SuspensionError, InsufficientBalanceError, realtime_config_not_runnable; worker_unreachable if no worker
 * took the chat in time, in which case it ends
 */
export async function createChat(
  telephony: Pick<
    Telephony,
    'db' | 'controls' | 'workers' | 'publications' | 'signals' | 'settings' | 'openOrganization' | 'onCommit'
  > &
    Pick<Network, 'sip'> &
    Intake,
  { organizationId: named, agentId, body: read, request: requestOf, visitor }: CreateChatInput,
  context: CallContext,
): Promise<PublicResult> {
  const { db, admission, controls } = telephony;
  if (!isId('agt', agentId)) throw notFound('agent');
  const shown = async (organizationId: string, callId: string, replayed: boolean): Promise<PublicResult> => ({
    body: await firstWords(telephony, { organizationId, callId, fresh: !replayed }, context.signal),
    replayed,
  });
  const early = named === '' ? undefined : await findStoredResponse(db, requestOf(named));
  if (early !== undefined) return shown(named, early.recordId ?? '', true);
  const agentSnapshot = await admission.ask(named, agentId, context);
  const { agent } = agentSnapshot;
  const { organizationId } = agent;
  const request = requestOf(organizationId);
  const known = named === '' ? await findStoredResponse(db, request) : undefined;
  if (known !== undefined) return shown(organizationId, known.recordId ?? '', true);
  if (visitor !== undefined && agent.status === 'inactive') throw conflict('the agent is inactive');
  const wanted = await resolveRequest(telephony, agentSnapshot, read(), needsOfChat, context);
  await refuseSuspended(controls, agent);
  refuseBlockers([...agent.blockers, ...(await whyNoChat(telephony, organizationId, wanted.needs))]);
  await loadOrCreateState(telephony, organizationId);
  const { value, stored } = await creating(
    db,
    request,
    async (tx) => {
      // A worker claims the chat without this token, so it is never given to a client.
      const tokenHash = noAdoptionToken();
      const given = {
        channel: 'chat',
        tokenHash,
        seconds: chatConnectSeconds,
        action: 'chat_session.created',
      } as const;
      const { call } = await writeAdoptableCall(tx, telephony, { agentSnapshot, wanted, ...given }, context);
      await visitor?.admit(tx, call);
      return { status: 201, body: '{}', recordId: call.callId, value: call.callId };
    },
    { recalled: true },
  );
  telephony.onCommit(true);
  return shown(organizationId, value ?? stored?.recordId ?? '', value === undefined);
}

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
async function firstWords(
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
