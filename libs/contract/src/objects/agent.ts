import { ArrayMaxSize, ArrayMinSize, IsArray, IsBoolean, IsIn } from 'class-validator';
import { limits } from '../limits';
import { JsonObjectWithin, Text } from '../rules/constraints';
import { Address, BelongsElsewhere, Ignores, ListOf, Nested, Open, Optional, Required } from '../rules/decorators';
import {
  agentModes,
  AgentVoice,
  TranslationPolicy,
  voiceFrontends,
  type AgentMode,
  type VoiceFrontend,
} from './components';
import { AgentFollowCaller, AgentLanguageProfileOverride } from './languages';
import { AgentNavigation } from './navigation';
import { AgentOpening } from './opening';
import { agentToolShape, toolName, type AgentTool } from './tools';

/** The route that the fields below belong to. */
export const voiceStackRoute = 'PATCH /v1/agents/{agent_id}/voice-stack';

/**
 * The settings of the voice stack (2.2): the one list behind every "this field belongs to another route". Create and update both carry it; what
 * a class declares itself (opening at creation, for one) is left out of the refusal.
 */
export const voiceStackSettings = [
  'opening',
  'turn_taking',
  'voice_polish',
  'answer_detection',
  'navigation',
  'audio_environment',
  'follow_caller',
  'languages',
  'language_profiles',
  'transcriber',
  'model',
  'component_credential_bindings',
  'language_profile_revision',
] as const;

/** Read-only fields of an agent: accepted and ignored on write. */
export const agentReadOnlyFields = ['agent_id', 'created_at', 'updated_at'] as const;

/** A voice (2.1): a legacy pinned voice id, or an object. */
const voiceText = limits.voiceId;

/** The fields that creation and the generic update have in common, each declared once. */
@BelongsElsewhere(voiceStackRoute, voiceStackSettings)
@Ignores(...agentReadOnlyFields)
export class AgentFields {
  @Optional() @Text(limits.name) name?: string;
  /** Primary language. */
  @Optional() @Text(limits.languageCode) language?: string;
  @Optional() @Text(limits.systemPrompt) system_prompt?: string;
  @Optional() @Text(limits.firstMessage) first_message?: string;
  /** Legacy alias of first_message. */
  @Optional() @Text(limits.firstMessage) begin_message?: string;
  @Optional() @Nested(() => AgentVoice, { orText: voiceText }) voice?: string | AgentVoice;
  @Optional() @ArrayMaxSize(limits.toolNames) @ListOf(agentToolShape, { orText: toolName }) tools?: AgentTool[];
  @Optional() @Nested(() => TranslationPolicy) translation?: TranslationPolicy;
  @Optional() @IsBoolean() recording_enabled?: boolean;
  @Optional() @Address('http') webhook_url?: string;
  @Optional() @Address('websocket') audio_stream_url?: string;
}

/** metadata at creation: free-form; the sections in it follow their own rules (2.1). */
@Open()
export class AgentMetadata {
  @Optional() @Nested(() => AgentNavigation) navigation?: AgentNavigation;
  @Optional() @Nested(() => AgentOpening) opening?: AgentOpening;
  @Optional() @Nested(() => AgentFollowCaller) follow_caller?: AgentFollowCaller;
}

/** Agent (2.1), the body of POST /v1/agents. `status` is read-only there: an agent begins active. */
@Ignores('status')
export class Agent extends AgentFields {
  @Required() @Text({ min: 1, max: 64 }) organization_id!: string;
  @Required() @Text({ min: 1, max: 64 }) project_id!: string;
  @Required() @IsIn(agentModes) mode!: AgentMode;
  @Optional() @IsIn(voiceFrontends) voice_frontend?: VoiceFrontend;
  @Optional()
  @IsArray()
  @ArrayMinSize(limits.languages.min)
  @ArrayMaxSize(limits.languages.max)
  @Text(limits.languageCode, { each: true })
  languages?: string[];
  @Optional()
  @ArrayMaxSize(limits.languages.max)
  @ListOf(() => AgentLanguageProfileOverride)
  language_profiles?: AgentLanguageProfileOverride[];
  @Optional() @Nested(() => AgentFollowCaller) follow_caller?: AgentFollowCaller;
  @Optional() @Nested(() => AgentOpening) opening?: AgentOpening;
  @Optional() @JsonObjectWithin(limits.metadataBytes) @Nested(() => AgentMetadata) metadata?: AgentMetadata &
    Record<string, unknown>;
}
