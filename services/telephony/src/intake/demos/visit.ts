import {
  callOfChat,
  ChatTurnCreate,
  parseJsonStrict,
  validate,
  type ChatSession,
  type ChatTurn,
  type DemoKind,
  type TestCall,
} from '@parley/contract';
import { AppError, conflict, notFound, type ErrorCode } from '@parley/errors';
import type { CreatingRequest, PublicResult } from '@parley/service';
import type { CallContext, Queryable } from '@parley/runtime';
import { createTestCall } from '../admission/create-test-call';
import type { VisitorRules } from '../admission/adoptable-call';
import type { Call } from '../../books';
import { createChat } from '../chats/create-chat';
import { endChat, takeChatTurn } from '../chats/converse';
import type { Intake } from '../admission/admission-batches';
import type { Network } from '../../network';
import type { Telephony } from '../../telephony';
import { addressHash, demoTokenHash, refuseBeyondLimits, type DemoRecord } from './demo.rules';
import { addConversation, conversationsFrom, countEnded, findDemo, hasConversation, lockDemo } from './demos.sql';
import { ownerOfDemoToken } from './owner-of-token.cross-tenant.sql';

type Needs = Pick<
  Telephony,
  'db' | 'controls' | 'workers' | 'publications' | 'signals' | 'settings' | 'vault' | 'openOrganization' | 'onCommit'
> &
  Pick<Network, 'sip'> &
  Intake;

export interface Visit {
  readonly token: string;
  readonly kind: DemoKind;
  /** The group of the visitor's address. */
  readonly address: string;
}

/** Visitors need no key, so the platform's own rights apply; the tenant is that of the token. */
export interface VisitedChat {
  readonly token: string;
  readonly sessionId: string;
}

const noDemo = (): AppError => notFound('demo');

/**
 * The demo that the token opens.
 * @throws AppError NotFoundError for a token that is unknown, revoked or expired, or that does not open this kind
 */
export async function openedBy({ db }: Pick<Telephony, 'db'>, token: string, kind: DemoKind): Promise<DemoRecord> {
  const owner = await ownerOfDemoToken(db, demoTokenHash(token));
  const found = owner && (await findDemo(db, owner));
  if (!found?.open || !found.demo.kinds.includes(kind)) throw noDemo();
  return found.demo;
}

/** The answer to a visitor: without ids that only the organization needs. */
export type VisitorChat = Pick<ChatSession, 'chat_session_id' | 'status' | 'first_message'>;
/** Without the tool calls, whose arguments and results are the organization's. */
export type VisitorTurn = Pick<ChatTurn, 'turn_id' | 'agent_text' | 'status'>;

export async function startDemoChat(telephony: Needs, visit: Visit, context: CallContext): Promise<VisitorChat> {
  const body = await started(telephony, visit, (input) => createChat(telephony, input, context));
  const { chat_session_id, status, first_message } = body as ChatSession;
  return { chat_session_id, status, first_message };
}

export async function startDemoCall(telephony: Needs, visit: Visit, context: CallContext): Promise<TestCall> {
  return (await started(telephony, visit, (input) => createTestCall(telephony, input, context))) as TestCall;
}

interface Starting {
  readonly organizationId: string;
  readonly agentId: string;
  readonly body: () => object;
  readonly request: (organizationId: string) => CreatingRequest;
  readonly visitor: VisitorRules;
}

async function started(
  telephony: Pick<Telephony, 'db'>,
  { token, kind, address }: Visit,
  start: (input: Starting) => Promise<PublicResult>,
): Promise<PublicResult['body']> {
  const demo = await openedBy(telephony, token, kind);
  const hash = addressHash(token, address);
  // Checked without a lock first: visitors beyond a limit must not delay the organization's calls.
  refuseBeyondLimits(demo, await conversationsFrom(telephony.db, demo, hash), 0);
  const { organizationId, agentId } = demo;
  const visitor = { admit: (tx: Queryable, call: Call) => admit(tx, { demo, token, hash }, call) };
  const input = { organizationId, agentId, body: () => ({}), request: withoutKey, visitor };
  // The request is the platform's own: a refusal of its fields is one of the agent's configuration.
  const { body } = await forVisitors(start(input), ['BadRequestError']);
  return body;
}

/** Counts the conversation in the transaction that writes its call, so that the limits hold over all replicas. */
async function admit(
  tx: Queryable,
  { demo: { organizationId, agentId }, token, hash }: { demo: DemoRecord; token: string; hash: Buffer },
  { callId, holdMicros }: Call,
): Promise<void> {
  const owner = { organizationId, agentId };
  const hold = holdMicros ?? 0;
  if (!(await lockDemo(tx, owner, demoTokenHash(token)))) throw noDemo();
  await countEnded(tx, owner);
  const found = await findDemo(tx, owner);
  if (!found?.open) throw noDemo();
  refuseBeyondLimits(found.demo, await conversationsFrom(tx, owner, hash), hold);
  await addConversation(tx, owner, { callId, holdMicros: hold, hash });
}

/** @throws AppError NotFoundError if the chat does not belong to the demo; otherwise as `takeChatTurn` */
export async function takeDemoTurn(
  telephony: Needs,
  { token, sessionId, text }: VisitedChat & { readonly text: Buffer },
  context: CallContext,
): Promise<VisitorTurn> {
  const organizationId = await ownerOfChat(telephony, token, sessionId);
  const body = () => validate(ChatTurnCreate, parseJsonStrict(text)).value;
  const { body: turn } = await forVisitors(
    takeChatTurn(telephony, { organizationId, sessionId, body, request: withoutKey }, context),
  );
  const { turn_id, agent_text, status } = turn as ChatTurn;
  return { turn_id, agent_text, status };
}

export async function endDemoChat(
  telephony: Needs,
  { token, sessionId }: VisitedChat,
  context: CallContext,
): Promise<Pick<VisitorChat, 'chat_session_id' | 'status'>> {
  const organizationId = await ownerOfChat(telephony, token, sessionId);
  const { chat_session_id, status } = await forVisitors(endChat(telephony, organizationId, sessionId, context));
  return { chat_session_id, status };
}

async function ownerOfChat(telephony: Pick<Telephony, 'db'>, token: string, sessionId: string): Promise<string> {
  const demo = await openedBy(telephony, token, 'chat');
  if (!(await hasConversation(telephony.db, demo, callOfChat(sessionId)))) throw notFound('chat session');
  return demo.organizationId;
}

/** Visitors repeat nothing: a page that is loaded again begins another conversation. */
const withoutKey = (organizationId: string): CreatingRequest => ({
  organizationId,
  route: 'demo',
  key: '',
  fingerprint: Buffer.alloc(0),
});

/** Reasons that are the organization's own business: its wallet, its suspension, its configuration. */
const own: ReadonlySet<ErrorCode> = new Set([
  'InsufficientBalanceError',
  'SuspensionError',
  'realtime_config_not_runnable',
  'outbound_call_queue_full',
  'control_unavailable',
]);

async function forVisitors<T>(work: Promise<T>, further: readonly ErrorCode[] = []): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError && (own.has(error.code) || further.includes(error.code)))
      throw conflict('the agent is not available now');
    throw error;
  }
}
