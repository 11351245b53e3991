import { IsIn } from 'class-validator';
import { limits } from '../limits';
import { JsonObjectWithin, Text } from '../rules/constraints';
import { Describe, DescribeObject, ListOf, Nested, Nullable, Optional, Required } from '../rules/decorators';
import { Money } from './call';
import { readableEndedReasons, type ReadableEndedReason } from './ended-reasons';
import { OrganizationName } from './fields';
import { TranscriptToolCall, TranscriptTurn } from './transcript';

/** The carrier that a worker declares if it conducts chats; no number has it. */
export const chatCarrier = 'chat';

/** The session id of a chat; it is derived from the call id. */
export const chatSessionOf = (callId: string): string => `chs_${callId.slice('call_'.length)}`;

/** The call id of a chat session; empty for an invalid session id. */
export const callOfChat = (sessionId: string): string =>
  sessionId.startsWith('chs_') ? `call_${sessionId.slice('chs_'.length)}` : '';

/** How long a chat waits for its worker. */
export const chatConnectSeconds = 15;

/** The worker ends a chat in which no message was written for this long. */
export const chatIdleSeconds = 600;

export const chatStatuses = ['open', 'ended'] as const;
export type ChatStatus = (typeof chatStatuses)[number];

@DescribeObject('POST /v1/agents/{agent_id}/chat-sessions.')
export class ChatSessionCreate extends OrganizationName {
  @Optional() @JsonObjectWithin(limits.metadataBytes) variables?: Record<string, unknown>;
  @Optional() @Text(limits.languageCode) language?: string;
}

@DescribeObject('A chat.')
export class ChatSession {
  @Required() @Text() chat_session_id!: string;
  @Required() @Text() @Describe('The call of the chat.') call_id!: string;
  @Required() @Text() agent_id!: string;
  @Required() @IsIn(chatStatuses) status!: ChatStatus;
  @Required() @Text() @Describe('Empty if the agent waits to be written to.') first_message!: string;
}

@DescribeObject('GET /v1/chat-sessions/{chat_session_id}.')
export class ChatSessionRecord extends ChatSession {
  @Required() @Text() created_at!: string;
  @Required() @Nullable() @Text() ended_at!: string | null;
  @Required() @Nullable() @IsIn(readableEndedReasons) ended_reason!: ReadableEndedReason | null;
  @Required() @Nested(() => Money) @Describe('0 until it has ended.') cost!: Money;
  @Required() @ListOf(() => TranscriptTurn) turns!: TranscriptTurn[];
}

@DescribeObject('POST /v1/chat-sessions/{chat_session_id}/turns.')
export class ChatTurnCreate extends OrganizationName {
  @Required() @Text({ min: 1, max: 2000, pattern: /\S/, description: 'words' }) text!: string;
}

@DescribeObject('What the agent replied.')
export class ChatTurn {
  @Required() @Text() @Describe('In the transcript.') turn_id!: string;
  @Required() @Text() @Describe('The reply.') agent_text!: string;
  @Required() @ListOf(() => TranscriptToolCall) @Describe('Tools it called.') tool_calls!: TranscriptToolCall[];
  @Required() @IsIn(chatStatuses) @Describe('`ended`: the agent ended the chat.') status!: ChatStatus;
}
