import { eventData, eventSubject, type MessageEventType } from '@parley/contract';
import type { Message } from './message.rules';
import type { MessageStep } from './message-transitions.rules';

const iso = (date: Date | null): string | null => (date === null ? null : date.toISOString());

function translationOf({ translation }: Message): object | null {
  if (translation === null) return null;
  const { status, targetLanguage, body, provider, reason } = translation;
  return { status, target_language: targetLanguage, body, provider, reason };
}

/**
 * The public JSON of a message, class MessageRecord. Used wherever a message is shown: in reads and in the `data` of events. Fields of steps that are not
 * reached yet are null.
 */
export function renderMessage(message: Message): string {
  const { notes } = message.policy;
  return JSON.stringify({
    message_id: message.messageId,
    organization_id: message.organizationId,
    project_id: message.projectId,
    agent_id: message.agentId === '' ? null : message.agentId,
    direction: message.direction,
    from: message.from,
    to: message.to,
    status: message.status,
    body: message.body,
    segment_count: message.segmentCount,
    purpose: message.purpose,
    campaign_id: message.campaignId,
    template_id: message.templateId,
    language: message.language,
    provider: message.provider,
    carrier_message_id: message.carrierMessageId,
    policy: {
      verdict: message.policy.verdict,
      rules: message.policy.rules,
      ...(notes ? (JSON.parse(notes) as object) : {}),
    },
    error: message.errorCode === null ? null : { code: message.errorCode, detail: message.errorDetail ?? '' },
    translation: translationOf(message),
    cost: { currency: 'USD', amount_micros: message.costMicros },
    metadata: JSON.parse(message.metadata) as unknown,
    created_at: iso(message.createdAt),
    sent_at: iso(message.sentAt),
    delivered_at: iso(message.deliveredAt),
    undelivered_at: iso(message.undeliveredAt),
    failed_at: iso(message.failedAt),
    received_at: iso(message.receivedAt),
    updated_at: iso(message.updatedAt),
  });
}

/** The strong entity tag: every change increments resource_seq. */
export const messageEtag = ({ messageId, resourceSeq }: Pick<Message, 'messageId' | 'resourceSeq'>): string =>
  `"${messageId}.${resourceSeq}"`;

/** An event of a message, ready for the outbox. */
export interface MessageEvent {
  readonly eventId: string;
  readonly subject: string;
  /** JSON of the class EventEnvelope. */
  readonly payload: string;
}

/** The event of a step. `data` is the message as the API would return it right after that step. */
export const messageEvent = (eventId: string, { message, event }: MessageStep, at: Date): MessageEvent =>
  messageEventOf(eventId, event, message, at);

export function messageEventOf(eventId: string, type: MessageEventType, message: Message, at: Date): MessageEvent {
  const head = JSON.stringify({
    id: eventId,
    type,
    created_at: at.toISOString(),
    organization_id: message.organizationId,
    project_id: message.projectId,
    agent_id: message.agentId === '' ? null : message.agentId,
    resource_id: message.messageId,
    resource_seq: message.resourceSeq,
  });
  const data = eventData(renderMessage(message), `/v1/messages/${message.messageId}`);
  return {
    eventId,
    subject: eventSubject(message.organizationId, type),
    payload: `${head.slice(0, -1)},"data":${data}}`,
  };
}
