import { IsArray, IsBoolean, IsIn, IsInt } from 'class-validator';
import { limits } from '../limits';
import { JsonObjectWithin, Text, Timestamp } from '../rules/constraints';
import { Default, Describe, Example, Ignores, ListOf, Nested, Nullable, Optional, Required } from '../rules/decorators';
import { AnswerDetectionEvidence, NavigationTimes } from './call-evidence';
import { readableEndedReasons, type ReadableEndedReason } from './ended-reasons';
import { idText, phoneNumber } from './fields';
import { pageOf, ProjectListQuery } from './page';
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
/** `queued → dialing → answered → ended → completed`, or `failed`, `canceled`, `policy_blocked`, `needs_review`; before that `scheduled` where it was booked for later. */
export type CallStatus = (typeof callStatuses)[number];

export const callDirections = ['inbound', 'outbound'] as const;
export type CallDirection = (typeof callDirections)[number];

export const callChannels = ['phone', 'browser'] as const;
/** How the person is connected. */
export type CallChannel = (typeof callChannels)[number];

export const callPriorities = ['high', 'normal', 'low'] as const;
/** Inside one organization the higher go first; organizations take turns whatever theirs are. */
export type CallPriority = (typeof callPriorities)[number];

export const policyVerdicts = ['allowed', 'blocked', 'review'] as const;

/** POST /v1/calls (decisions section 5). */
export class CallCreate {
  @Required() @Text(idText) agent_id!: string;
  @Required() @Text(phoneNumber) to!: string;
  /** A number of the agent's project; its only one when omitted. */
  @Optional() @Text(phoneNumber) from?: string;
  @Optional() @JsonObjectWithin(limits.metadataBytes) variables?: Record<string, unknown>;
  @Optional() @JsonObjectWithin(limits.metadataBytes) metadata?: Record<string, unknown>;
  @Optional() @Text(limits.languageCode) language?: string;
  @Optional()
  @Timestamp()
  @Describe(
    'The call is judged, queued and paid for at this time: from 60 seconds ago, which is now, to 365 days ahead. Until then its status is `scheduled`.',
  )
  scheduled_at?: string;
  @Optional() @IsIn(callPriorities) @Default('normal') priority?: CallPriority;
  /** The client declares that the callee agreed to be called; outbound policy may require it. */
  @Optional() @IsBoolean() consent?: boolean;
  @Optional() @Text({ max: 64 }) organization_id?: string;
  @Optional() @Text({ max: 64 }) project_id?: string;
}

/** Which publication a call is pinned to. */
export class CallPublication {
  /** 0 when the agent never published and was compiled at admission. */
  @Required() @IsInt() version!: number;
  /** `pub_` and the hash of its content. */
  @Required() @Text() publication_id!: string;
}

/** What a rule in shadow would have done. */
export class CallPolicyShadow {
  @Required() @Text() rule!: string;
  @Required() @IsIn(policyVerdicts) verdict!: (typeof policyVerdicts)[number];
  @Required() @Text() reason!: string;
}

/** What outbound policy said. */
export class CallPolicy {
  @Required() @IsIn(policyVerdicts) verdict!: (typeof policyVerdicts)[number];
  @Required() @IsArray() @Text({}, { each: true }) rules!: string[];
  /** One a rule, in plain words; absent where no rule spoke. */
  @Optional() @IsArray() @Text({}, { each: true }) reasons?: string[];
  /** Absent where no rule in shadow spoke. */
  @Optional() @ListOf(() => CallPolicyShadow) shadow?: CallPolicyShadow[];
}

/** Integers only: micro-units of a currency. */
export class Money {
  @Required() @Text() currency!: string;
  @Required() @IsInt() amount_micros!: number;
}

export const simulatedKinds = ['stt', 'llm', 'tts', 'translation', 'extraction'] as const;

export const simulatorPaces = ['instant', 'real_time'] as const;
/** instant: many times faster than a telephone. */
export type SimulatorPace = (typeof simulatorPaces)[number];

/** Something that a worker could not do in a call. */
export class CallProblem {
  @Required() @Text({ min: 1, max: 64 }) code!: string;
  @Required() @Text({ max: 500 }) detail!: string;
  @Required() @Timestamp() @Example('2026-03-01T12:00:00.000Z') at!: string;
}

/** A call as it is read (2.7, decisions section 5). Times are null until the step is reached. */
export class CallRecord {
  @Required() @Text() call_id!: string;
  @Required() @Text() organization_id!: string;
  /** Both null where an incoming call reached nobody. */
  @Required() @Nullable() @Text() project_id!: string | null;
  @Required() @Nullable() @Text() agent_id!: string | null;
  @Required() @Nullable() @Nested(() => CallPublication) publication!: CallPublication | null;
  @Required() @IsIn(callDirections) direction!: CallDirection;
  @Required()
  @IsIn(callChannels)
  @Describe('phone, or browser for a test call, which has no numbers.')
  channel!: CallChannel;
  /** Both null for a test call. */
  @Required() @Nullable() @Text() from!: string | null;
  @Required() @Nullable() @Text() to!: string | null;
  @Required() @IsIn(callStatuses) status!: CallStatus;
  @Required() @Nullable() @IsIn(readableEndedReasons) ended_reason!: ReadableEndedReason | null;
  @Required() @Nullable() @Text() reason_detail!: string | null;
  @Required() @Nested(() => CallPolicy) policy!: CallPolicy;
  @Required()
  @Nullable()
  @Text()
  @Describe(
    'Who answered an outbound call, judged at its end; null where answer detection is off and of calls that were not answered.',
  )
  classification!: string | null;
  @Required() @Nullable() @Text() classification_detail!: string | null;
  /** Null until an outbound call is dialled, and on incoming calls. */
  @Required() @Nullable() @Nested(() => AnswerDetectionEvidence) answer_detection!: AnswerDetectionEvidence | null;
  /** Null where the call did not navigate. */
  @Required() @Nullable() @Nested(() => NavigationTimes) navigation!: NavigationTimes | null;
  @Required() @Nullable() @Text() language!: string | null;
  @Required() @IsBoolean() recording_enabled!: boolean;
  /** A trial call: made up, never dialled, never charged. */
  @Required() @IsBoolean() synthetic!: boolean;
  /** The provider of the platform's number; null for a trial call, a test call and an incoming call to no number of the platform. */
  @Required() @Nullable() @Text() carrier!: string | null;
  /** The call went to the simulator: no telephone rang. */
  @Required() @IsBoolean() simulated!: boolean;
  @Required()
  @IsArray()
  @IsIn(simulatedKinds, { each: true })
  @Describe('Which parts of the call were simulated, whatever its carrier.')
  components_simulated!: (typeof simulatedKinds)[number][];
  /** How fast the simulator conducts it; null for every other carrier. */
  @Required() @Nullable() @IsIn(simulatorPaces) simulator_pace!: SimulatorPace | null;
  @Required() @ListOf(() => CallProblem) @Describe('What the worker could not do.') problems!: CallProblem[];
  /** When the end of a call was asked for that was being dialled or talked; its end follows. */
  @Required() @Nullable() @Text() cancel_requested_at!: string | null;
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
  /** From answer to end; of a simulated call in call time. */
  @Required() @Nullable() @IsInt() duration_seconds!: number | null;
  @Required() @Nested(() => Money) cost!: Money;
  @Required() @JsonObjectWithin(limits.metadataBytes) variables!: Record<string, unknown>;
  @Required() @JsonObjectWithin(limits.metadataBytes) metadata!: Record<string, unknown>;
  @Required() @Text() updated_at!: string;
}

export const CallPage = pageOf(CallRecord);

/** Filters of GET /v1/calls. */
export class CallListQuery extends ProjectListQuery {
  @Optional() @Text(idText) agent_id?: string;
  @Optional() @IsIn(callStatuses) status?: CallStatus;
  @Optional() @IsIn(callDirections) direction?: CallDirection;
}

/** The other party is the `callee` of an outbound call, and the `caller` of every other one. */
export const speakers = ['agent', 'caller', 'callee'] as const;

/** One turn of a conversation. Milliseconds from the answer. */
export class TranscriptTurn {
  @Required() @IsIn(speakers) speaker!: (typeof speakers)[number];
  @Required() @Text({ max: limits.systemPrompt.max }) text!: string;
  @Required() @IsInt() started_ms!: number;
  @Required() @IsInt() ended_ms!: number;
  @Optional() @Text(limits.languageCode) language?: string;
}

/** What a worker hands in on completion, and what a transcript is made of. */
@Ignores('call_id', 'created_at', 'translation')
export class Transcript {
  @Optional() @Text(limits.languageCode) language?: string;
  @Required() @ListOf(() => TranscriptTurn) turns!: TranscriptTurn[];
}

/** GET /v1/calls/{call_id}/transcript. */
export class TranscriptRecord extends Transcript {
  @Required() @Text() call_id!: string;
  @Required() @Text() created_at!: string;
  /** Null where the agent's TranslationPolicy asked for none. */
  @Required() @Nullable() @Nested(() => TranscriptTranslation) translation!: TranscriptTranslation | null;
}
