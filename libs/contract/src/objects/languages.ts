import { ArrayMaxSize, IsArray, IsBoolean, IsIn, IsInt, Min } from 'class-validator';
import { defaults, limits } from '../limits';
import { Text } from '../rules/constraints';
import { Closed, Default, ListOf, Nested, Nullable, Optional, Required, Rule } from '../rules/decorators';

/** The transcriber of a profile override: exactly provider and model (2.5). */
@Closed()
export class ProfileTranscriber {
  @Required() @Text(limits.provider) provider!: string;
  @Required() @Text(limits.model) model!: string;
}

/** The voice of a profile override: all three (2.5). */
@Closed()
export class ProfileVoice {
  @Required() @Text(limits.provider) provider!: string;
  @Required() @Text(limits.model) model!: string;
  @Required() @Text(limits.voiceId) voice_id!: string;
}

/** AgentLanguageProfileOverride (2.5). What is omitted inherits the shared stack. */
@Closed()
export class AgentLanguageProfileOverride {
  @Required() @Text(limits.languageCode) locale!: string;
  /** An empty greeting removes its override. */
  @Optional() @Text(limits.greeting) greeting?: string;
  @Optional() @Nested(() => ProfileTranscriber) transcriber?: ProfileTranscriber;
  @Optional() @Nested(() => ProfileVoice) voice?: ProfileVoice;
}

export const followCallerScopes = ['selected', 'all'] as const;

/** AgentFollowCaller (2.5). `scope` is valid only when enabled; omitted it means selected. */
@Closed()
@Rule((value: AgentFollowCaller) =>
  !value.enabled && value.scope !== undefined ? 'scope is accepted only when enabled is true' : undefined,
)
export class AgentFollowCaller {
  @Required() @IsBoolean() enabled!: boolean;
  @Optional()
  @IsIn(followCallerScopes)
  @Default(defaults.followCallerScope)
  scope?: (typeof followCallerScopes)[number];
}

/** AgentLanguageProfiles (2.5), a read. */
export class AgentLanguageProfiles {
  @Required()
  @IsArray()
  @ArrayMaxSize(limits.languages.max)
  @Text(limits.languageCode, { each: true })
  languages!: string[];
  @Required()
  @ArrayMaxSize(limits.languages.max)
  @ListOf(() => AgentLanguageProfileOverride)
  profiles!: AgentLanguageProfileOverride[];
  /** 0 with an empty published_at: nothing is published yet. */
  @Required() @IsInt() @Min(0) published_version!: number;
  @Required() @Text() published_at!: string;
  @Required()
  @IsArray()
  @ArrayMaxSize(limits.languages.max)
  @Text({ max: limits.languageCode.max }, { each: true })
  published_languages!: string[];
  @Required() @Nullable() @Nested(() => AgentFollowCaller) published_follow_caller!: AgentFollowCaller | null;
  /** Empty when Follow is not enabled. */
  @Required() @Text({ max: limits.languageCode.max }) published_starting_language!: string;
  @Required() @IsInt() @Min(0) revision!: number;
}
