import { limits, type TranslationPolicy } from '@parley/contract';
import { badRequest, notFound } from '@parley/errors';
import { newId, type OutgoingContext } from '@parley/runtime';
import { admissionError } from '../intake';
import { readAdmissionSnapshot, replyRoute, wantedTranslation } from '../books';
import { isMessageProvider } from '../network';
import { decide, factsOfRequest } from '../policy';
import type { Messaging } from './message-batches';
import type { Telephony } from '../telephony';
import { blankMessage, type Message } from './message.rules';
import { microsPerSegment, segmentsOf } from './segments.rules';

export interface Reply {
  /** The message that is answered. */
  readonly message: Message;
  readonly text: string;
  /** Empty for none. */
  readonly language: string;
  readonly translation: TranslationPolicy | undefined;
  readonly metadata: Readonly<Record<string, string>>;
  /** Whether it confirms the opt-out that suppressed its recipient. */
  readonly confirmsOptOut: boolean;
}

/**
 * Sends the reply to a message, once however often it is called. It is admitted like a message of POST /v1/messages; the sender wrote first, which is a consent.
 * @throws AppError if the reply is refused
 */
export async function sendReply(
  telephony: Pick<Telephony, 'db' | 'settings' | 'onCommit' | 'notifyMessageSender'> & Messaging,
  reply: Reply,
  context: OutgoingContext,
): Promise<void> {
  const { db, settings } = telephony;
  const { message, text, language, translation, confirmsOptOut } = reply;
  const { organizationId, messageId, from: to, to: from } = message;
  const question = { route: replyRoute, keys: [messageId], from: [from], to: [to] };
  const snapshot = await readAdmissionSnapshot(db, organizationId, question);
  if (snapshot.storedKeys.has(messageId)) return;
  const [number] = snapshot.named;
  if (number === undefined) throw notFound('number');
  const { provider } = number;
  if (!isMessageProvider(provider) || (provider === 'simulator' && !settings.simulator))
    throw badRequest('the number cannot send messages');
  const body = [...text].slice(0, limits.messageBody.max).join('');
  const replyId = newId('msg');
  const { policy, suppressed } = decide(factsOfRequest('message', { to, consent: true }, snapshot));
  const admitted = await telephony.messages.submit(organizationId, {
    request: { organizationId, route: replyRoute, key: messageId, fingerprint: Buffer.alloc(32) },
    policy,
    suppressed: suppressed && !confirmsOptOut,
    holdMicros: segmentsOf(body) * microsPerSegment,
    despiteSuppression: confirmsOptOut,
    draft: (at) => ({
      ...blankMessage(organizationId, at),
      messageId: replyId,
      projectId: message.projectId,
      agentId: message.agentId,
      from,
      to,
      body,
      segmentCount: segmentsOf(body),
      language: language === '' ? null : language,
      provider,
      translation: wantedTranslation(translation, language === '' ? undefined : language),
      metadata: JSON.stringify({ reply_to: messageId, ...reply.metadata }),
    }),
    traceparent: context.traceparent,
  });
  if (admitted.outcome === 'refused') throw admissionError(admitted.refusal, 0, 0, 'message');
  telephony.onCommit(false);
  telephony.notifyMessageSender();
}
