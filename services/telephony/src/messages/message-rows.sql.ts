import type { CallDirection, MessageStatus, TranslationState } from '@parley/contract';
import type { PolicyVerdict } from '../books/calls/call.rules';
import type { Message } from './message.rules';
import type { MessageProvider } from '../network/carriers/message-providers.rules';

/** Every column of `messages` except organization_id, with its type and the function that returns its value for a message. */
export const messageColumns = [
  ['message_id', 'text', (message) => message.messageId],
  ['project_id', 'text', (message) => message.projectId],
  ['agent_id', 'text', (message) => message.agentId],
  ['direction', 'text', (message) => message.direction],
  ['from_number', 'text', (message) => message.from],
  ['to_number', 'text', (message) => message.to],
  ['status', 'text', (message) => message.status],
  ['resource_seq', 'integer', (message) => message.resourceSeq],
  ['body', 'text', (message) => message.body],
  ['segment_count', 'integer', (message) => message.segmentCount],
  ['purpose', 'text', (message) => message.purpose],
  ['campaign_id', 'text', (message) => message.campaignId],
  ['template_id', 'text', (message) => message.templateId],
  ['language', 'text', (message) => message.language],
  ['provider', 'text', (message) => message.provider],
  ['carrier_message_id', 'text', (message) => message.carrierMessageId],
  ['policy_verdict', 'text', (message) => message.policy.verdict],
  // PostgreSQL requires nested arrays to be rectangular, so lists are joined; rule ids contain no comma.
  ['policy_rules', 'text', (message) => message.policy.rules.join(',')],
  ['policy_notes', 'text', (message) => message.policy.notes ?? null],
  ['error_code', 'text', (message) => message.errorCode],
  ['error_detail', 'text', (message) => message.errorDetail],
  ['translation_status', 'text', (message) => message.translation?.status ?? null],
  ['translation_target', 'text', (message) => message.translation?.targetLanguage ?? null],
  ['translation_body', 'text', (message) => message.translation?.body ?? null],
  ['translation_provider', 'text', (message) => message.translation?.provider ?? null],
  ['translation_reason', 'text', (message) => message.translation?.reason ?? null],
  ['metadata', 'text', (message) => message.metadata],
  ['cost_micros', 'bigint', (message) => message.costMicros],
  ['hold_micros', 'bigint', (message) => message.holdMicros],
  ['hold_day', 'date', (message) => message.holdDay],
  ['created_at', 'timestamptz', (message) => message.createdAt],
  ['sent_at', 'timestamptz', (message) => message.sentAt],
  ['delivered_at', 'timestamptz', (message) => message.deliveredAt],
  ['undelivered_at', 'timestamptz', (message) => message.undeliveredAt],
  ['failed_at', 'timestamptz', (message) => message.failedAt],
  ['received_at', 'timestamptz', (message) => message.receivedAt],
  ['updated_at', 'timestamptz', (message) => message.updatedAt],
] as const satisfies readonly (readonly [string, string, (message: Message) => unknown])[];

/** The select list with alias `m`. */
export const selectedMessage = [
  'm.organization_id',
  ...messageColumns.map(([name]) => (name === 'hold_day' ? 'm.hold_day::text as hold_day' : `m.${name}`)),
].join(', ');

/** As returned by pg: bigint is text. */
export interface MessageRow {
  readonly message_id: string;
  readonly organization_id: string;
  readonly project_id: string;
  readonly agent_id: string;
  readonly direction: CallDirection;
  readonly from_number: string;
  readonly to_number: string;
  readonly status: MessageStatus;
  readonly resource_seq: number;
  readonly body: string;
  readonly segment_count: number;
  readonly purpose: string | null;
  readonly campaign_id: string | null;
  readonly template_id: string | null;
  readonly language: string | null;
  readonly provider: MessageProvider;
  readonly carrier_message_id: string | null;
  readonly policy_verdict: PolicyVerdict;
  readonly policy_rules: string[];
  readonly policy_notes: string | null;
  readonly error_code: string | null;
  readonly error_detail: string | null;
  readonly translation_status: TranslationState | null;
  readonly translation_target: string | null;
  readonly translation_body: string | null;
  readonly translation_provider: string | null;
  readonly translation_reason: string | null;
  readonly metadata: string;
  readonly cost_micros: string;
  readonly hold_micros: string | null;
  readonly hold_day: string | null;
  readonly created_at: Date;
  readonly sent_at: Date | null;
  readonly delivered_at: Date | null;
  readonly undelivered_at: Date | null;
  readonly failed_at: Date | null;
  readonly received_at: Date | null;
  readonly updated_at: Date;
}

function translationOf(row: MessageRow): Message['translation'] {
  if (row.translation_status === null || row.translation_target === null) return null;
  return {
    status: row.translation_status,
    targetLanguage: row.translation_target,
    body: row.translation_body,
    provider: row.translation_provider,
    reason: row.translation_reason,
  };
}

export function messageOf(row: MessageRow): Message {
  return {
    messageId: row.message_id,
    organizationId: row.organization_id,
    projectId: row.project_id,
    agentId: row.agent_id,
    direction: row.direction,
    from: row.from_number,
    to: row.to_number,
    status: row.status,
    resourceSeq: row.resource_seq,
    body: row.body,
    segmentCount: row.segment_count,
    purpose: row.purpose,
    campaignId: row.campaign_id,
    templateId: row.template_id,
    language: row.language,
    provider: row.provider,
    carrierMessageId: row.carrier_message_id,
    policy: { verdict: row.policy_verdict, rules: row.policy_rules, notes: row.policy_notes },
    errorCode: row.error_code,
    errorDetail: row.error_detail,
    translation: translationOf(row),
    metadata: row.metadata,
    costMicros: Number(row.cost_micros),
    holdMicros: row.hold_micros === null ? null : Number(row.hold_micros),
    holdDay: row.hold_day,
    createdAt: row.created_at,
    sentAt: row.sent_at,
    deliveredAt: row.delivered_at,
    undeliveredAt: row.undelivered_at,
    failedAt: row.failed_at,
    receivedAt: row.received_at,
    updatedAt: row.updated_at,
  };
}
