import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsInt, Min } from 'class-validator';
import { limits } from '../limits';
import { Text } from '../rules/constraints';
import {
  AsRead,
  BelongsElsewhere,
  Describe,
  DescribeObject,
  Ignores,
  ListOf,
  Nested,
  Nullable,
  Optional,
  Example,
} from '../rules/decorators';
import { agentRoute, agentSettings, variablesRoute } from './agent';
import { AgentAnswerDetection } from './answer-detection';
import { AgentAudioEnvironment, InvalidAudioEnvironment } from './audio-environment';
import {
  ComponentCredentialBindings,
  VoiceComponentSelection,
  voiceFrontends,
  VoicelessSelection,
  type VoiceFrontend,
} from './components';
import { AgentFollowCaller, AgentLanguageProfileOverride, AgentLanguageProfiles } from './languages';
import { AgentNavigation } from './navigation';
import { AgentOpening } from './opening';
import { agentToolShape, toolName, type AgentTool } from './tools';
import { AgentTurnTaking } from './turn-taking';
import { AgentVoicePolish } from './voice-polish';

/** Read-only fields of the voice stack: accepted and ignored on write. */
export const voiceStackReadOnlyFields = [
  'publishable',
  'agent_id',
  'cost',
  'latency',
  'selectable',
  'warnings',
  'voice_label',
  'bound_credentials',
] as const;

@DescribeObject(
  'AgentVoiceStackUpdate, the body of PATCH /v1/agents/{agent_id}/voice-stack. A sent section replaces the stored one whole; an empty object or null resets it, navigation excepted; null takes a component, a text or the languages back to what the platform or the creation gave. organization_id and project_id as in AgentUpdate.',
)
@BelongsElsewhere(agentRoute, agentSettings)
@BelongsElsewhere(variablesRoute, ['variables'])
@Ignores(...voiceStackReadOnlyFields)
export class AgentVoiceStackUpdate {
  @Optional() @Text({ max: 64 }) organization_id?: string;
  @Optional() @Text({ max: 64 }) project_id?: string;
  @Optional() @Nullable() @Text(limits.systemPrompt) system_prompt?: string | null;
  @Optional() @Nullable() @Text(limits.firstMessage) @Example('Hello, how can I help?') first_message?: string | null;
  @Optional() @Nullable() @Text(limits.firstMessage) @Describe('Legacy alias of first_message.') begin_message?:
    string | null;
  @Optional() @Nullable() @Text(limits.languageCode) language?: string | null;
  @Optional()
  @Nullable()
  @Describe('Null removes the language opt-in.')
  @IsArray()
  @ArrayMinSize(limits.languages.min)
  @ArrayMaxSize(limits.languages.max)
  @Text(limits.languageCode, { each: true })
  languages?: string[] | null;
  @Optional()
  @ArrayMaxSize(limits.languages.max)
  @ListOf(() => AgentLanguageProfileOverride)
  @AsRead({ of: () => AgentLanguageProfiles, is: ({ profiles }) => Array.isArray(profiles), part: 'profiles' })
  @Describe('Also as read: then its `profiles` are taken.')
  language_profiles?: AgentLanguageProfileOverride[];
  @Optional() @IsInt() @Min(0) language_profile_revision?: number;
  @Optional() @Nullable() @Nested(() => AgentFollowCaller) follow_caller?: AgentFollowCaller | null;
  @Optional() @IsIn(voiceFrontends) voice_frontend?: VoiceFrontend;
  @Optional() @Nullable() @Nested(() => VoicelessSelection) transcriber?: VoicelessSelection | null;
  @Optional() @Nullable() @Nested(() => VoicelessSelection) model?: VoicelessSelection | null;
  @Optional() @Nullable() @Nested(() => VoiceComponentSelection, { orText: limits.voiceId }) voice?:
    string | VoiceComponentSelection | null;
  @Optional() @Nested(() => ComponentCredentialBindings) component_credential_bindings?: ComponentCredentialBindings;
  @Optional() @ArrayMaxSize(limits.toolNames) @ListOf(agentToolShape, { orText: toolName }) tools?: AgentTool[];
  @Optional() @IsArray() @ArrayMaxSize(2 * limits.toolNames) expected_tools?: AgentTool[];
  @Optional() @Nullable() @Nested(() => AgentOpening) opening?: AgentOpening | null;
  @Optional() @Nullable() @Nested(() => AgentTurnTaking) turn_taking?: AgentTurnTaking | null;
  @Optional() @Nullable() @Nested(() => AgentVoicePolish) voice_polish?: AgentVoicePolish | null;
  @Optional() @Nullable() @Nested(() => AgentAnswerDetection) answer_detection?: AgentAnswerDetection | null;
  @Optional() @Nested(() => AgentNavigation) navigation?: AgentNavigation;
  @Optional()
  @Nullable()
  @Nested(() => AgentAudioEnvironment)
  @AsRead({ of: () => InvalidAudioEnvironment, is: ({ invalid }) => invalid === true })
  @Describe('Also as a read shows a selection that the catalogue no longer has: then the stored one stays.')
  audio_environment?: AgentAudioEnvironment | null;
}
