import { AppError, notFound } from '@parley/errors';
import { append } from '@parley/outbox';
import { databaseNow, newId, type OutgoingContext, type Queryable } from '@parley/runtime';
import { auditEvent } from '@parley/service';
import { wantedTranslation } from '../books';
import { findReceived } from './messages.sql';
import {
  holderOfNumber,
  type HeldNumber,
  carrierOf,
  findMessageSigners,
  type CarrierWebhook,
  type IncomingMessage,
  isMessageProvider,
  type MessageProvider,
  type Network,
} from '../network';
import { changeSuppression, decide, readSuppression } from '../policy';
import { blankMessage, type Message } from './message.rules';
import { optChangeOf } from './opt-out.rules';
import { insertReply } from './replies.sql';
import { replyKindOf } from './reply.rules';
import { messageEventOf } from './render-message.rules';
import { segmentsOf } from './segments.rules';
import type { AgentSnapshot } from '../dispatch';
import { storeMessages } from './record-messages';
import type { Intake } from '../intake';
import type { Telephony } from '../telephony';

/**
 * Processes a carrier's webhook about an incoming message. A message reported again under the same carrier id is not stored twice. An opt-out keyword adds the
 * sender to the suppression list in the same transaction, an opt-in keyword removes it, and a message that is to be answered leaves its reply to do. Maintenance
 * does not affect this webhook (docs/reference/maintenance.md); replies wait for its end.
 * @throws UnauthorizedError for a signature that is not the carrier's; NotFoundError if no organization with this account has the number, or the number is
 * another carrier's; BadRequestError naming the field
 */
export async function receiveCarrierMessage(
  telephony: Pick<Telephony, 'db' | 'vault' | 'settings' | 'onCommit' | 'notifyMessageSender'> &
    Pick<Network, 'carriers'> &
    Intake,
  webhook: CarrierWebhook,
  context: OutgoingContext,
): Promise<Message> {
  const { db } = telephony;
  const signers = await findMessageSigners(telephony, webhook);
  const incoming = carrierOf(telephony, webhook.provider).protocol.messageOf(webhook.form);
  const number = await holderOfNumber(db, incoming.to, signers);
  if (number?.provider !== webhook.provider || !isMessageProvider(number.provider)) throw notFound('number');
  const { provider } = number;
  const earlier = () => findReceived(db, number.organizationId, provider, incoming.carrierMessageId);
  const known = await earlier();
  if (known !== undefined) return known;
  const agentSnapshot = await resolveAgent(telephony, number, context);
  try {
    const message = await db.transaction((tx) => write(tx, { number, agentSnapshot, provider, incoming, context }));
    telephony.onCommit(false);
    telephony.notifyMessageSender();
    return message;
  } catch (error) {
    const first = isTaken(error) ? await earlier() : undefined;
    if (first === undefined) throw error;
    return first;
  }
}

/** Whether a concurrent delivery of the same webhook was stored first. */
const isTaken = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '23505';

async function resolveAgent(
  { admission }: Intake,
  { organizationId, inboundAgentId }: HeldNumber,
  context: OutgoingContext,
): Promise<AgentSnapshot | undefined> {
  if (inboundAgentId === null) return undefined;
  try {
    return await admission.ask(organizationId, inboundAgentId, context);
  } catch (error) {
    if (error instanceof AppError && error.code === 'NotFoundError') return undefined;
    throw error;
  }
}

interface Received {
  readonly number: HeldNumber;
  readonly agentSnapshot: AgentSnapshot | undefined;
  readonly provider: MessageProvider;
  readonly incoming: IncomingMessage;
  readonly context: OutgoingContext;
}

async function write(
  tx: Queryable,
  { number, agentSnapshot, provider, incoming, context }: Received,
): Promise<Message> {
  const { organizationId } = number;
  const now = await databaseNow(tx);
  const { body, from, to, carrierMessageId } = incoming;
  const message: Message = {
    ...blankMessage(organizationId, now),
    messageId: newId('msg'),
    projectId: number.projectId,
    agentId: number.inboundAgentId ?? '',
    direction: 'inbound',
    status: 'received',
    resourceSeq: 1,
    from,
    to,
    body,
    segmentCount: segmentsOf(body),
    provider,
    carrierMessageId,
    translation: body.trim() === '' ? null : wantedTranslation(agentSnapshot?.translation, undefined),
    receivedAt: now,
  };
  const events = [messageEventOf(newId('evt'), 'sms.received', message, now)];
  const made = { message, goesOut: false, events, traceparent: context.traceparent, stored: undefined };
  await storeMessages(tx, organizationId, [made]);
  const { suppressed } = decide(await readSuppression(tx, organizationId, 'sending', from));
  const changed = await obey(tx, message, now, context);
  const agentAnswers = agentSnapshot?.answersMessages === true;
  const kind = replyKindOf({ from, body, changed, suppressed, confirmed: incoming.confirmed, agentAnswers });
  if (kind !== undefined) await insertReply(tx, message, { kind, language: agentSnapshot?.agent.language ?? '' });
  return message;
}

/** Applies an opt-out or opt-in that the message contains. Returns whether it changed the suppression list. */
async function obey(tx: Queryable, message: Message, now: Date, context: OutgoingContext): Promise<boolean> {
  const { organizationId, from, messageId } = message;
  const change = optChangeOf(message.body);
  if (change === undefined) return false;
  if (!(await changeSuppression(tx, organizationId, from, change))) return false;
  const action = change === 'out' ? 'suppressions.added' : 'suppression.removed';
  const detail = { phone_number: from, message_id: messageId, by: 'recipient' };
  await append(tx, [auditEvent({ organizationId, action, subject: organizationId, detail }, now, context)]);
  return true;
}
