import { ArrayMaxSize, IsBoolean, IsIn } from 'class-validator';
import { limits } from '../limits';
import { JsonObjectWithin, Text } from '../rules/constraints';
import { Closed, Describe, DescribeObject, Ignores, ListOf, Nullable, Optional, Required } from '../rules/decorators';

export const voiceFrontends = ['cascade', 'engine_a_live', 'engine_b_live'] as const;
/** The conversation engine of a hosted agent (docs/reference/voice-stack.md#read). If it is absent in stored data, it is cascade. */
export type VoiceFrontend = (typeof voiceFrontends)[number];

export const agentModes = ['hosted', 'external_audio', 'external_text'] as const;
export type AgentMode = (typeof agentModes)[number];

/** Maximum size of a component's serialized options. */
const optionsBytes = 16 * 1024;

@DescribeObject(
  "Replaces the selected component in a call if it fails; with the platform's account, or a bound credential of its provider.",
)
@Closed(false)
export class FallbackSelection {
  @Required() @Text(limits.provider) provider!: string;
  @Required() @Text(limits.model) model!: string;
  @Optional() @JsonObjectWithin(optionsBytes) options?: Record<string, unknown>;
}

@DescribeObject('A voice that continues if the selected one fails.')
export class VoiceFallbackSelection extends FallbackSelection {
  @Optional() @Text(limits.voiceId) voice_id?: string;
}

/** Maximum of fallbacks in addition to the selected component. */
const mostFallbacks = 3;

/** Fields that reads add to a component are accepted and ignored in writes, so that clients can send back what they have read. */
@Ignores(
  'label',
  'languages',
  'delivery_control',
  'delivery_profiles',
  'cost',
  'latency',
  'fast_words',
  'candidate_limit',
)
class ComponentSelection extends FallbackSelection {}

@DescribeObject('A selected transcriber or model; only a voice has a voice_id. What reads add is accepted and ignored.')
export class VoicelessSelection extends ComponentSelection {
  @Optional()
  @ArrayMaxSize(mostFallbacks)
  @ListOf(() => FallbackSelection)
  @Describe('Tried in order.')
  fallbacks?: FallbackSelection[];
}

@DescribeObject("A voice, which is one of its provider's inventory.")
export class VoiceComponentSelection extends ComponentSelection {
  @Optional()
  @ArrayMaxSize(mostFallbacks)
  @ListOf(() => VoiceFallbackSelection)
  @Describe('Tried in order.')
  fallbacks?: VoiceFallbackSelection[];
  @Optional() @Text(limits.voiceId) @Describe("A voice of the provider's inventory.") voice_id?: string;
}

@DescribeObject('The voice as an object. The legacy form is a text, the id of a voice.')
export class AgentVoice extends VoiceComponentSelection {}

@DescribeObject(
  'Ids of credentials by kind; null: platform-managed. Binding one with a base_url needs recordings:read.',
)
@Closed()
export class ComponentCredentialBindings {
  @Optional() @Nullable() @Text({ min: 1, max: 64 }) stt?: string | null;
  @Optional() @Nullable() @Text({ min: 1, max: 64 }) llm?: string | null;
  @Optional() @Nullable() @Text({ min: 1, max: 64 }) tts?: string | null;
}

export const translationScopes = ['transcripts', 'messages', 'both'] as const;

@DescribeObject('TranslationPolicy.')
@Closed()
export class TranslationPolicy {
  @Required() @IsBoolean() enabled!: boolean;
  @Optional() @Text(limits.languageCode) target_language?: string;
  @Optional() @IsIn(translationScopes) scope?: (typeof translationScopes)[number];
}
