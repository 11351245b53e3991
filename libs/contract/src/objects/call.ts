import { IsArray, IsBoolean, IsIn, IsInt } from 'class-validator';
import { limits } from '../limits';
import { Entries, JsonObjectWithin, Text, Timestamp } from '../rules/constraints';
import {
  Closed,
  Default,
  Describe,
  DescribeObject,
  Example,
  Ignores,
  ListOf,
  Nested,
  Nullable,
  Optional,
  Required,
} from '../rules/decorators';
import { AnswerDetectionEvidence, NavigationTimes } from './call-evidence';
import { problemCodes, reasonDetailForm, type ProblemCode, type ReasonDetail } from './call-codes';
import { endedReasons, readableEndedReasons, type EndedReason, type ReadableEndedReason } from './ended-reasons';
import { idText, phoneNumber } from './fields';
import { listedOf, pageOf, Summary } from './page';
import { ConversationListQuery } from './search-query';
import { TranscriptTurn } from './transcript';
import { CallTransferEntry } from './transfer';
import { TranscriptTranslation } from './translation';

export const callStatuses = [
  'scheduled',
  'queued',
  'dialing',
  'answered',
  'ended',
  'completed',
  'failed',
  'canceled',
  'policy_blocked',
  'needs_review',
] as const;
/**
 * `queued → dialing → answered → ended → completed`, or `failed`, `canceled`, `policy_blocked`, `needs_review`. A call scheduled for later starts with
 * `scheduled`.
 */
export type CallStatus = (typeof callStatuses)[number];

export const callDirections = ['inbound', 'outbound'] as const;
export type CallDirection = (typeof callDirections)[number];

export const callChannels = ['phone', 'browser', 'chat'] as const;
/** How the person is connected to the call. */
export type CallChannel = (typeof callChannels)[number];

export const callPriorities = ['high', 'normal', 'low'] as const;
/** Within an organization, calls of a higher priority come first; organizations take turns regardless of priority. */
export type CallPriority = (typeof callPriorities)[number];

export const policyVerdicts = ['allowed', 'blocked', 'review'] as const;

@DescribeObject('POST /v1/calls.')
export class CallCreate {
  @Required() @Text(idText) agent_id!: string;
  @Required() @Text(phoneNumber) to!: string;
  @Optional() @Text(phoneNumber) @Describe("A number of the agent's project; its only one when omitted.") from?: string;
  @Optional() @JsonObjectWithin(limits.metadataBytes) variables?: Record<string, unknown>;
  @Optional() @JsonObjectWithin(limits.metadataBytes) metadata?: Record<string, unknown>;
  @Optional() @Text(limits.languageCode) language?: string;
  @Optional()
  @Timestamp()
  @Describe(
    'The call is checked by policy, queued and charged at this time, at most 365 days ahead. Until then its status is `scheduled`.',
  )
  scheduled_at?: string;
  @Optional() @IsIn(callPriorities) @Default('normal') priority?: CallPriority;
  @Optional()
  @IsBoolean()
  @Describe('The client declares that the callee agreed to be called; outbound policy may require it.')
  consent?: boolean;
  @Optional() @Text({ max: 64 }) organization_id?: string;
  @Optional() @Text({ max: 64 }) project_id?: string;
}

@DescribeObject('Which publication a call is pinned to.')
export class CallPublication {
  @Required() @IsInt() @Describe('0 when the agent never published and was compiled at admission.') version!: number;
  @Required() @Text() @Describe('`pub_` and the hash of its content.') publication_id!: string;
}

@DescribeObject('What a rule in shadow would have done.')
export class CallPolicyShadow {
  @Required() @Text() rule!: string;
  @Required() @IsIn(policyVerdicts) verdict!: (typeof policyVerdicts)[number];
  @Required() @Text() reason!: string;
}

@DescribeObject('The result of outbound policy.')
export class CallPolicy {
  @Required() @IsIn(policyVerdicts) verdict!: (typeof policyVerdicts)[number];
  @Required() @IsArray() @Text({}, { each: true }) rules!: string[];
  @Optional()
  @IsArray()
  @Text({}, { each: true })
  @Describe('One per rule, in plain words; absent if no rule applied.')
  reasons?: string[];
  @Optional()
  @ListOf(() => CallPolicyShadow)
  @Describe('Absent if no shadow rule applied.')
  shadow?: CallPolicyShadow[];
}

@DescribeObject('Integers only: micro-units of a currency.')
export class Money {
  @Required() @Text() currency!: string;
  @Required() @IsInt() amount_micros!: number;
}

export const simulatedKinds = ['stt', 'llm', 'tts', 'translation', 'extraction'] as const;

export const simulatorPaces = ['instant', 'real_time'] as const;
/** With `instant`, a simulated call runs many times faster than a telephone call. */
export type SimulatorPace = (typeof simulatorPaces)[number];

@DescribeObject('Something that a worker could not do in a call.')
@Closed(false)
export class CallProblem {
  @Required() @IsIn(problemCodes) code!: ProblemCode;
  @Required() @Text({ max: 500 }) detail!: string;
  @Required() @Timestamp() @Example('2026-03-01T12:00:00.000Z') at!: string;
}

@DescribeObject('A call as reads show it. Times are null until the step is reached.')
export class CallRecord {
  @Required() @Text() call_id!: string;
  @Required() @Text() organization_id!: string;
  @Required()
  @Nullable()
  @Text()
  @Describe('Both null if an incoming call belongs to no organization.')
  project_id!: string | null;
  @Required() @Nullable() @Text() agent_id!: string | null;
  @Required() @Nullable() @Nested(() => CallPublication) publication!: CallPublication | null;
  @Required() @IsIn(callDirections) direction!: CallDirection;
  @Required()
  @IsIn(callChannels)
  @Describe('phone, or browser for a test call and chat for a chat, which have no numbers.')
  channel!: CallChannel;
  @Required() @Nullable() @Text() @Describe('Both null for a test call and a chat.') from!: string | null;
  @Required()
  @Nullable()
  @Text()
  @Describe('What an incoming call named as its caller, if that is no E.164 number; else null.')
  from_raw!: string | null;
  @Required() @Nullable() @Text() to!: string | null;
  @Required() @IsIn(callStatuses) status!: CallStatus;
  @Required() @Nullable() @IsIn(readableEndedReasons) ended_reason!: ReadableEndedReason | null;
  @Required() @Nullable() @Text({ pattern: reasonDetailForm }) reason_detail!: ReasonDetail | null;
  @Required() @Nested(() => CallPolicy) policy!: CallPolicy;
  @Required()
  @Nullable()
  @Text()
  @Describe(
    'Who answered an outbound call, such as human, voicemail, call_screening, fax or not_in_service; null: not classified.',
  )
  classification!: string | null;
  @Required() @Nullable() @Text() classification_detail!: string | null;
  @Required()
  @Nullable()
  @Nested(() => AnswerDetectionEvidence)
  @Describe('Null until an outbound call is dialed, and on incoming calls.')
  answer_detection!: AnswerDetectionEvidence | null;
  @Required()
  @Nullable()
  @Nested(() => NavigationTimes)
  @Describe('Null if the call did not navigate.')
  navigation!: NavigationTimes | null;
  @Required() @Nullable() @Text() language!: string | null;
  @Required() @IsBoolean() recording_enabled!: boolean;
  @Required() @IsBoolean() @Describe('A trial call: synthetic, never dialed, never charged.') synthetic!: boolean;
  @Required()
  @Nullable()
  @Text()
  @Describe("The provider of the platform's number; null if the call has none.")
  carrier!: string | null;
  @Required() @IsBoolean() @Describe('The call went to the simulator: no telephone rang.') simulated!: boolean;
  @Required()
  @IsArray()
  @IsIn(simulatedKinds, { each: true })
  @Describe('Which parts of the call were simulated, whatever its carrier.')
  components_simulated!: (typeof simulatedKinds)[number][];
  @Required()
  @Nullable()
  @IsIn(simulatorPaces)
  @Describe('How fast the simulator conducts it; null for every other carrier.')
  simulator_pace!: SimulatorPace | null;
  @Required() @ListOf(() => CallProblem) @Describe('What the worker could not do.') problems!: CallProblem[];
  @Required()
  @ListOf(() => CallTransferEntry)
  @Describe('Each try to hand the call to somebody else, in their order.')
  transfers!: CallTransferEntry[];
  @Required()
  @Nullable()
  @Text()
  @Describe('When the end of a call that dials or talks was requested; its end follows.')
  cancel_requested_at!: string | null;
  @Required() @Nullable() @Text() scheduled_at!: string | null;
  @Required() @Text() created_at!: string;
  @Required() @Nullable() @Text() queued_at!: string | null;
  @Required() @Nullable() @Text() dialing_at!: string | null;
  @Required() @Nullable() @Text() answered_at!: string | null;
  @Required() @Nullable() @Text() media_started_at!: string | null;
  @Required() @Nullable() @Text() ended_at!: string | null;
  @Required() @Nullable() @Text() completed_at!: string | null;
  @Required() @Nullable() @Text() failed_at!: string | null;
  @Required() @Nullable() @Text() canceled_at!: string | null;
  @Required()
  @Nullable()
  @IsInt()
  @Describe('From answer to end; of a simulated call in call time.')
  duration_seconds!: number | null;
  @Required() @Nested(() => Money) cost!: Money;
  @Required() @JsonObjectWithin(limits.metadataBytes) variables!: Record<string, unknown>;
  @Required() @JsonObjectWithin(limits.metadataBytes) metadata!: Record<string, unknown>;
  @Required() @Text() updated_at!: string;
  @Required()
  @Nullable()
  @Text()
  @Describe('When its numbers, variables, metadata, transcript, recording and events were erased; null: it was not.')
  erased_at!: string | null;
}

/** What a list of calls with `summary` shows of each. */
export const callSummaryFields = [
  ...(['call_id', 'organization_id', 'project_id', 'agent_id', 'direction', 'channel', 'from', 'to'] as const),
  ...(['status', 'ended_reason', 'simulated', 'created_at', 'duration_seconds', 'cost'] as const),
] as const;
export const ListedCall = listedOf(CallRecord, 'ListedCall', callSummaryFields);
export const CallPage = pageOf(ListedCall, 'CallRecordPage');

@DescribeObject('Filters of GET /v1/calls.')
export class CallListQuery extends ConversationListQuery {
  @Optional() @IsIn(callStatuses) status?: CallStatus;
  @Optional() @IsIn(callDirections) direction?: CallDirection;
  @Optional() @IsIn(endedReasons) ended_reason?: EndedReason;
  @Optional() @Text(idText) @Describe('Calls that this campaign placed.') campaign_id?: string;
  @Optional()
  @Entries({ maxEntries: 1, key: limits.searchedMetadataName, value: limits.searchedMetadataValue })
  @Describe('Calls with this text, number or boolean in their metadata: `metadata[order]=17`.')
  metadata?: Record<string, string>;
  @Summary() summary!: boolean;
}

@DescribeObject('What a worker uploads on completion, and what a transcript consists of.')
@Closed(false)
@Ignores('call_id', 'created_at', 'translation')
export class Transcript {
  @Optional() @Text(limits.languageCode) language?: string;
  @Required() @ListOf(() => TranscriptTurn) turns!: TranscriptTurn[];
}

@DescribeObject('GET /v1/calls/{call_id}/transcript.')
export class TranscriptRecord extends Transcript {
  @Required() @Text() call_id!: string;
  @Required() @Text() created_at!: string;
  @Required()
  @Nullable()
  @Nested(() => TranscriptTranslation)
  @Describe("Null if the agent's TranslationPolicy required none.")
  translation!: TranscriptTranslation | null;
}
