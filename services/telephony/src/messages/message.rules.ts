import type { CallDirection, MessageStatus } from '@parley/contract';
import type { MessageProvider } from '../network/carriers/message-providers.rules';
import type { PolicyDecision } from '../books/calls/call.rules';
import type { Translation } from '../books/calls/translation-target.rules';

/** A message as stored. Timestamps are null until the step is reached. */
export interface Message {
  readonly messageId: string;
  readonly organizationId: string;
  readonly projectId: string;
  /** Empty if an incoming message reached no agent. */
  readonly agentId: string;
  readonly direction: CallDirection;
  readonly from: string;
  readonly to: string;
  readonly status: MessageStatus;
  /** The number of events of this message so far. */
  readonly resourceSeq: number;
  readonly body: string;
  readonly segmentCount: number;
  readonly purpose: string | null;
  readonly campaignId: string | null;
  readonly templateId: string | null;
  readonly language: string | null;
  readonly provider: MessageProvider;
  readonly carrierMessageId: string | null;
  readonly policy: PolicyDecision;
  readonly errorCode: string | null;
  readonly errorDetail: string | null;
  readonly translation: Translation | null;
  /** JSON object as it was sent. */
  readonly metadata: string;
  /** Micro-USD. */
  readonly costMicros: number;
  /** Micro-USD reserved until the carrier accepts the message; null for none. */
  readonly holdMicros: number | null;
  /** YYYY-MM-DD: the day to whose spend the reservation is counted. */
  readonly holdDay: string | null;
  readonly createdAt: Date;
  readonly sentAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly undeliveredAt: Date | null;
  readonly failedAt: Date | null;
  readonly receivedAt: Date | null;
  readonly updatedAt: Date;
}

/** A message in its initial state. */
export function blankMessage(
  organizationId: string,
  at: Date,
): Omit<Message, 'messageId' | 'projectId' | 'agentId' | 'from' | 'to' | 'body' | 'segmentCount' | 'provider'> {
  return {
    organizationId,
    direction: 'outbound',
    status: 'queued',
    resourceSeq: 0,
    purpose: null,
    campaignId: null,
    templateId: null,
    language: null,
    carrierMessageId: null,
    policy: { verdict: 'allowed', rules: [] },
    errorCode: null,
    errorDetail: null,
    translation: null,
    metadata: '{}',
    costMicros: 0,
    holdMicros: null,
    holdDay: null,
    createdAt: at,
    sentAt: null,
    deliveredAt: null,
    undeliveredAt: null,
    failedAt: null,
    receivedAt: null,
    updatedAt: at,
  };
}
