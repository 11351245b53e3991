import { ArrayMaxSize, ArrayMinSize, IsArray, IsBoolean, IsIn } from 'class-validator';
import { limits } from '../limits';
import { JsonObjectWithin, Text } from '../rules/constraints';
import {
  Address,
  BelongsElsewhere,
  Describe,
  DescribeObject,
  Ignores,
  ListOf,
  Nested,
  Nullable,
  Open,
  Optional,
  RefusesNull,
  Required,
  Example,
} from '../rules/decorators';
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

/** The route that accepts the settings below. */
export const voiceStackRoute = 'PATCH /v1/agents/{agent_id}/voice-stack';
export const agentRoute = 'PATCH /v1/agents/{agent_id}';
export const variablesRoute = 'PUT /v1/agents/{agent_id}/variables';

/** Settings that only the generic update accepts; the voice-stack update refuses them and names that route (docs/reference/agents.md#update). */
export const agentSettings = [
  'name',
  'mode',
  'status',
  'metadata',
  'translation',
  'recording_enabled',
  'answers_messages',
  'webhook_url',
  'audio_stream_url',
] as const;

/**
 * The settings of the voice stack (docs/reference/agents.md#update). Creation and generic update refuse them with a message that names the voice-stack route;
 * fields that their class declares itself (such as opening in a creation) are not refused.
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
export const agentReadOnlyFields = ['agent_id', 'voice_stack', 'suspension', 'created_at', 'updated_at'] as const;

/** Settings that null resets in an update; in a creation there is nothing to reset. */
const clearedByNull = [
  'name',
  'language',
  'system_prompt',
  'first_message',
  'begin_message',
  'voice',
  'translation',
  'webhook_url',
  'audio_stream_url',
] as const;

const serverOf = (kind: string): string =>
  `Used in the mode \`external_${kind}\`; sending to another address, by changing it or the mode, needs recordings:read.`;

/** A voice (docs/reference/agents.md): a legacy voice id, or an object. */
const voiceText = limits.voiceId;

@DescribeObject('The fields that creation and the generic update have in common, each declared once.')
@BelongsElsewhere(voiceStackRoute, voiceStackSettings)
@BelongsElsewhere(variablesRoute, ['variables'])
@Ignores(...agentReadOnlyFields)
export class AgentFields {
  @Optional() @Nullable() @Text(limits.name) @Example('Reception') name?: string | null;
  @Optional() @Nullable() @Text(limits.languageCode) @Describe('Primary language.') language?: string | null;
  @Optional() @Nullable() @Text(limits.systemPrompt) system_prompt?: string | null;
  @Optional() @Nullable() @Text(limits.firstMessage) first_message?: string | null;
  @Optional() @Nullable() @Text(limits.firstMessage) @Describe('Legacy alias of first_message.') begin_message?:
    string | null;
  @Optional() @Nullable() @Nested(() => AgentVoice, { orText: voiceText }) voice?: string | AgentVoice | null;
  @Optional() @ArrayMaxSize(limits.toolNames) @ListOf(agentToolShape, { orText: toolName }) tools?: AgentTool[];
  @Optional() @Nullable() @Nested(() => TranslationPolicy) translation?: TranslationPolicy | null;
  @Optional() @IsBoolean() recording_enabled?: boolean;
  @Optional() @IsBoolean() answers_messages?: boolean;
  @Optional() @Nullable() @Address('http') @Describe(serverOf('text')) webhook_url?: string | null;
  @Optional() @Nullable() @Address('websocket') @Describe(serverOf('audio')) audio_stream_url?: string | null;
}

@DescribeObject('metadata at creation: free-form; the sections in it follow their own rules.')
@Open()
export class AgentMetadata {
  @Optional() @Nested(() => AgentNavigation) navigation?: AgentNavigation;
  @Optional() @Nested(() => AgentOpening) opening?: AgentOpening;
  @Optional() @Nested(() => AgentFollowCaller) follow_caller?: AgentFollowCaller;
}

@DescribeObject('Agent, the body of POST /v1/agents. An agent begins active: `status` belongs to the update.')
@BelongsElsewhere(agentRoute, ['status'])
@RefusesNull(...clearedByNull)
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
