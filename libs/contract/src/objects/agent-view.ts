import { IsArray, IsBoolean, IsIn, IsInt } from 'class-validator';
import { limits } from '../limits';
import { JsonObjectWithin, Text } from '../rules/constraints';
import { Describe, DescribeObject, ListOf, Nested, Nullable, Optional, Required, Example } from '../rules/decorators';
import type { AgentStatus } from './agent-update';
import { AgentAnswerDetection } from './answer-detection';
import {
  agentModes,
  AgentVoice,
  VoiceFallbackSelection,
  TranslationPolicy,
  voiceFrontends,
  type AgentMode,
  type VoiceFrontend,
} from './components';
import { AgentFollowCaller, AgentLanguageProfileOverride, AgentLanguageProfiles } from './languages';
import { AgentNavigationStatus } from './navigation';
import { AgentOpening } from './opening';
import { listedOf, pageOf, ProjectListQuery, Summary, Sort, type ListOrder } from './page';
import { agentToolShape, type AgentTool } from './tools';
import { AgentTurnTaking } from './turn-taking';
import { AgentVoicePolish } from './voice-polish';

const agentStatuses = ['active', 'inactive', 'suspended'] as const;
const kilobytes = 1024;

/** The languages of an agent and their published state: the part of the voice stack that the creation and lists of agents return. */
@DescribeObject('Read-only; changed by the voice-stack route and ignored in writes of the agent.')
export class AgentVoiceStackSummary {
  @Required() @IsIn(voiceFrontends) voice_frontend!: VoiceFrontend;
  @Required()
  @IsArray()
  @Text({}, { each: true })
  @Describe('Empty until languages are opted in.')
  languages!: string[];
  @Required() @ListOf(() => AgentLanguageProfileOverride) language_profiles!: AgentLanguageProfileOverride[];
  @Required() @IsInt() @Describe('0: nothing is published.') published_version!: number;
}

/** Why and since when an agent is suspended. */
@DescribeObject('Present while the agent is suspended.')
export class AgentSuspension {
  @Required() @Nullable() @Text() @Describe('Given by the operator; null if none.') reason!: string | null;
  @Required() @Text() suspended_at!: string;
}

@DescribeObject(
  'What GET /v1/agents/{agent_id} answers. What is not set is absent, never null, so that a read can be sent back.',
)
export class AgentView {
  @Required() @Text() agent_id!: string;
  @Required() @Text() organization_id!: string;
  @Required() @Text() project_id!: string;
  @Required() @IsIn(agentModes) mode!: AgentMode;
  @Required() @IsIn(agentStatuses) status!: AgentStatus;
  @Optional() @Text() name?: string;
  @Optional() @Text() language?: string;
  @Optional() @Text() system_prompt?: string;
  @Optional() @Text() first_message?: string;
  @Optional() @Nested(() => AgentVoice, { orText: {} }) voice?: string | AgentVoice;
  @Required()
  @ListOf(agentToolShape, { orText: {} })
  @Example(['look_up', { type: 'builtin', name: 'end_call' }])
  tools!: AgentTool[];
  @Optional() @Nested(() => TranslationPolicy) translation?: TranslationPolicy;
  @Required() @IsBoolean() recording_enabled!: boolean;
  @Optional() @IsBoolean() answers_messages?: boolean;
  @Optional() @Text() webhook_url?: string;
  @Optional() @Text() audio_stream_url?: string;
  @Required()
  @JsonObjectWithin(2 * 64 * kilobytes)
  @Describe('Free-form, with the stored follow_caller, opening and navigation in it where they are set.')
  metadata!: Record<string, unknown>;
  @Required() @Nested(() => AgentVoiceStackSummary) voice_stack!: AgentVoiceStackSummary;
  @Optional() @Nested(() => AgentSuspension) suspension?: AgentSuspension;
  @Required() @Text() created_at!: string;
  @Required() @Text() updated_at!: string;
}

/** What a list of agents with `summary` shows of each. */
export const agentSummaryFields = [
  ...(['agent_id', 'organization_id', 'project_id', 'mode', 'status', 'name', 'language'] as const),
  ...(['recording_enabled', 'voice_stack', 'suspension', 'created_at', 'updated_at'] as const),
] as const;
export const ListedAgent = listedOf(AgentView, 'ListedAgent', agentSummaryFields);
export const AgentViewPage = pageOf(ListedAgent, 'AgentViewPage');

@DescribeObject('Filters of GET /v1/agents.')
export class AgentListQuery extends ProjectListQuery {
  @Optional()
  @Text({ min: 1, max: limits.name.max })
  @Describe('Prefix of the name, ignoring case.')
  name?: string;
  @Optional() @IsIn(['active', 'inactive', 'suspended']) status?: AgentStatus;
  @Sort() sort!: ListOrder;
  @Summary() summary!: boolean;
}

export const deliveryControls = ['voice_settings', 'instruction', 'speed', 'unsupported'] as const;
export type DeliveryControl = (typeof deliveryControls)[number];

@DescribeObject('A component as the read projection shows it.')
export class ComponentView {
  @Required() @Text() provider!: string;
  @Required() @Text() model!: string;
  @Optional() @Text() label?: string;
  @Optional() @JsonObjectWithin(16 * kilobytes) options?: Record<string, unknown>;
  @Optional()
  @ListOf(() => VoiceFallbackSelection)
  @Describe('Tried in order.')
  fallbacks?: VoiceFallbackSelection[];
}

@DescribeObject('The voice of the read projection.')
export class VoiceView extends ComponentView {
  @Optional() @Text() voice_id?: string;
  @Required() @IsIn(deliveryControls) delivery_control!: DeliveryControl;
  @Required()
  @JsonObjectWithin(16 * kilobytes)
  @Describe('The value that each delivery resolves to; empty for `unsupported`.')
  delivery_profiles!: Record<string, unknown>;
}

@DescribeObject('By kind, whether a component credential is bound; never which one.')
export class BoundCredentials {
  @Required() @IsBoolean() stt!: boolean;
  @Required() @IsBoolean() llm!: boolean;
  @Required() @IsBoolean() tts!: boolean;
}

@DescribeObject('AgentVoiceStack, the read projection. Never holds binding ids or secrets.')
export class AgentVoiceStack {
  @Required() @Text() agent_id!: string;
  @Required() @Text() organization_id!: string;
  @Required() @Text() project_id!: string;
  @Required() @Text() language!: string;
  @Required() @IsIn(voiceFrontends) voice_frontend!: VoiceFrontend;
  @Required() @Nested(() => ComponentView) transcriber!: ComponentView;
  @Required() @Nested(() => ComponentView) model!: ComponentView;
  @Required() @Nested(() => VoiceView) voice!: VoiceView;
  @Required()
  @JsonObjectWithin(4 * kilobytes)
  @Describe('Micro-USD a minute of call and in total; `estimated`: one of them is an estimate.')
  cost!: Record<string, unknown>;
  @Required()
  @JsonObjectWithin(4 * kilobytes)
  @Describe('Milliseconds and in total; `estimated`: one of them is an estimate.')
  latency!: Record<string, unknown>;
  @Required()
  @IsBoolean()
  @Describe('Whether engine, mode and components can be used as they are.')
  selectable!: boolean;
  @Required() @IsArray() @Text({}, { each: true }) warnings!: string[];
  @Required() @Nested(() => AgentNavigationStatus) navigation!: AgentNavigationStatus;
  @Optional() @Text() first_message?: string;
  @Optional() @Text() system_prompt?: string;
  @Optional() @Text() voice_label?: string;
  @Optional() @Nested(() => AgentLanguageProfiles) language_profiles?: AgentLanguageProfiles;
  @Optional() @Nested(() => AgentFollowCaller) follow_caller?: AgentFollowCaller;
  @Optional() @Nested(() => AgentOpening) opening?: AgentOpening;
  @Optional() @Nested(() => AgentTurnTaking) turn_taking?: AgentTurnTaking;
  @Optional() @Nested(() => AgentVoicePolish) voice_polish?: AgentVoicePolish;
  @Optional() @Nested(() => AgentAnswerDetection) answer_detection?: AgentAnswerDetection;
  @Required()
  @Nested(() => BoundCredentials)
  @Describe('Which kinds run on a credential of the organization.')
  bound_credentials!: BoundCredentials;
  @Optional()
  @ListOf(agentToolShape, { orText: {} })
  @Describe("Only after a save that created a webhook tool's secret, which is shown once.")
  tools?: AgentTool[];
  @Optional()
  @JsonObjectWithin(2 * kilobytes)
  @Describe('A selection, or `{ invalid: true, stored }`.')
  audio_environment?: Record<string, unknown>;
  @Optional()
  @IsBoolean()
  @Describe('Whether calls could run with the current stack. `warnings` has the obstacles as "code: text".')
  publishable?: boolean;
}

@DescribeObject('The provider catalogue of GET /v1/agent-catalog.')
export class AgentCatalogue {
  @Required() @Text() version!: string;
  @Required()
  @JsonObjectWithin(64 * kilobytes)
  @Describe('cascade, engine_a_live, engine_b_live: each `{ has_language_axis, ... }`.')
  conversation_engines!: Record<string, { has_language_axis: boolean }>;
  @Required()
  @IsArray()
  @Describe(
    '`{ provider, label, requires_account, models }`; each model names in `estimated` the figures of it that are estimates.',
  )
  @Example([{ provider: 'simulator', label: 'Simulator', requires_account: false, models: [] }])
  transcribers!: Record<string, unknown>[];
  @Required()
  @IsArray()
  @Example([{ provider: 'simulator', label: 'Simulator', requires_account: false, models: [] }])
  models!: Record<string, unknown>[];
  @Required()
  @IsArray()
  @Example([{ provider: 'simulator', label: 'Simulator', requires_account: false, models: [] }])
  voices!: Record<string, unknown>[];
  @Required()
  @JsonObjectWithin(64 * kilobytes)
  @Describe('Defaults of agents without their own selection: `{ language, transcriber, model, voice }`.')
  defaults!: Record<string, unknown>;
  @Required()
  @IsArray()
  @Text({}, { each: true })
  @Describe('Providers for which the platform itself holds an account.')
  platform_managed!: string[];
  @Required()
  @JsonObjectWithin(64 * kilobytes)
  @Describe('Phone-menu navigation: `{ released, languages, max_transcriber_connections }` (2.6).')
  navigation!: Record<string, unknown>;
}
