import { ArrayMaxSize, IsArray, IsBoolean, IsIn, IsInt, Min } from 'class-validator';
import { defaults, limits } from '../limits';
import { Text } from '../rules/constraints';
import {
  Closed,
  Default,
  Describe,
  DescribeObject,
  ListOf,
  Nested,
  Nullable,
  Optional,
  Required,
  Rule,
} from '../rules/decorators';

@DescribeObject('The transcriber of a profile override: exactly provider and model.')
@Closed()
export class ProfileTranscriber {
  @Required() @Text(limits.provider) provider!: string;
  @Required() @Text(limits.model) model!: string;
}

@DescribeObject('The voice of a profile override: all three.')
@Closed()
export class ProfileVoice {
  @Required() @Text(limits.provider) provider!: string;
  @Required() @Text(limits.model) model!: string;
  @Required() @Text(limits.voiceId) voice_id!: string;
}

@DescribeObject('AgentLanguageProfileOverride. What is omitted inherits the shared stack.')
@Closed()
export class AgentLanguageProfileOverride {
  @Required() @Text(limits.languageCode) locale!: string;
  @Optional() @Text(limits.greeting) @Describe('An empty greeting removes its override.') greeting?: string;
  @Optional() @Nested(() => ProfileTranscriber) transcriber?: ProfileTranscriber;
  @Optional() @Nested(() => ProfileVoice) voice?: ProfileVoice;
}

export const followCallerScopes = ['selected', 'all'] as const;

@DescribeObject('AgentFollowCaller. `scope` is valid only when enabled; omitted it means selected.')
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

@DescribeObject('AgentLanguageProfiles, a read.')
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
  @Required()
  @IsInt()
  @Min(0)
  @Describe('0 with an empty published_at: nothing is published yet.')
  published_version!: number;
  @Required() @Text({ max: 40 }) published_at!: string;
  @Required()
  @IsArray()
  @ArrayMaxSize(limits.languages.max)
  @Text({ max: limits.languageCode.max }, { each: true })
  published_languages!: string[];
  @Required() @Nullable() @Nested(() => AgentFollowCaller) published_follow_caller!: AgentFollowCaller | null;
  @Required()
  @Text({ max: limits.languageCode.max })
  @Describe('Empty when Follow is not enabled.')
  published_starting_language!: string;
  @Required() @IsInt() @Min(0) revision!: number;
}
