import { IsArray, IsBoolean, IsIn, IsInt, Min } from 'class-validator';
import { blockerRepairs, type BlockerCode } from '../documents/readiness';
import { limits } from '../limits';
import { IntWithin, JsonObjectWithin, Text } from '../rules/constraints';
import { Describe, DescribeObject, ListOf, Nested, Optional, Required, Secret } from '../rules/decorators';
import { AgentVoiceStack } from './agent-view';
import { pageOf, RouteQuery } from './page';

/** The largest version number of a publication. */
const greatestVersion = 2_147_483_647;

@DescribeObject('One publication of an agent: numbered, immutable.')
export class PublicationSummary {
  @Required() @Text() agent_id!: string;
  @Required() @IsInt() @Min(1) version!: number;
  @Required()
  @Text()
  @Describe('pub_ and the SHA-256 of the content: equal contents have one id.')
  publication_id!: string;
  @Required() @Text() published_at!: string;
  @Required() @IsArray() @Text({ max: limits.languageCode.max }, { each: true }) languages!: string[];
  @Required() @Text() @Describe('The catalogue that it was compiled against.') catalogue_version!: string;
  @Required() @IsBoolean() @Describe('Whether calls that are admitted now run on it.') current!: boolean;
}

export const PublicationSummaryPage = pageOf(PublicationSummary);

@DescribeObject('GET /v1/agents/{agent_id}/publications/{version}.')
export class PublicationRecord extends PublicationSummary {
  @Required()
  @Secret('mask-tool-headers')
  @JsonObjectWithin(limits.bodyBytes)
  @Describe(
    'What calls run on: components, languages and texts with everything resolved; no secret, no binding, and no tools, which each call takes from the agent.',
  )
  content!: Record<string, unknown>;
}

export class PublicationDiffQuery extends RouteQuery {
  @Optional()
  @IntWithin({ min: 0, max: greatestVersion })
  @Describe('The version to compare with; 0 is nothing at all. The one before when omitted.')
  against?: number;
}

export const publicationChangeKinds = ['added', 'removed', 'changed'] as const;

@DescribeObject('One difference between two publications.')
export class PublicationChange {
  @Required() @IsIn(publicationChangeKinds) change!: (typeof publicationChangeKinds)[number];
  @Required()
  @Text()
  @Describe('JSON Pointer into content; profiles are named by their locale.')
  path!: string;
  /** Absent if the setting did not exist before. */
  @Optional()
  @Secret('mask-tool-headers')
  @Describe('The value in `against`; absent for what was added.')
  before?: unknown;
  /** Absent if the setting was removed. */
  @Optional()
  @Secret('mask-tool-headers')
  @Describe('The value in this version; absent for what was removed.')
  after?: unknown;
}

@DescribeObject('GET /v1/agents/{agent_id}/publications/{version}/diff.')
export class PublicationDiff {
  @Required() @Text() agent_id!: string;
  @Required() @IsInt() @Min(1) version!: number;
  @Required() @IsInt() @Min(0) against!: number;
  @Required() @ListOf(() => PublicationChange) changes!: PublicationChange[];
}

@DescribeObject('Why something cannot be published.')
export class PublicationBlocker {
  @Required() @IsIn(Object.keys(blockerRepairs)) code!: BlockerCode;
  @Required() @Text() scope!: string;
  @Required() @Text() detail!: string;
}

@DescribeObject('A reason why an agent cannot be used.')
export class ReadinessBlocker extends PublicationBlocker {
  @Required() @Text() @Describe('What makes the agent usable.') repair!: string;
}

@DescribeObject('Whether an agent can be used on a channel.')
export class ChannelReadiness {
  @Required() @IsBoolean() @Describe('Whether nothing hinders.') ok!: boolean;
  @Required() @ListOf(() => ReadinessBlocker) blockers!: ReadinessBlocker[];
}

@DescribeObject('Where an agent can be used as it is stored now.')
export class AgentReadiness {
  @Required()
  @Nested(() => ChannelReadiness)
  @Describe('Calls of the numbers of its project.')
  phone!: ChannelReadiness;
  @Required()
  @Nested(() => ChannelReadiness)
  @Describe('Test calls and demos in a browser.')
  browser!: ChannelReadiness;
  @Required() @Nested(() => ChannelReadiness) @Describe('Chats.') chat!: ChannelReadiness;
}

@DescribeObject(
  'What the same body would do as a save; without an agent, as its creation and first save, with empty ids. Nothing is written.',
)
export class VoiceStackPreview {
  @Required()
  @IsBoolean()
  @Describe('Whether the save would publish; with blockers it would be refused.')
  publishes!: boolean;
  @Required() @ListOf(() => PublicationBlocker) blockers!: PublicationBlocker[];
  @Required()
  @IsBoolean()
  @Describe('Whether calls could run with the stack as it would be; see the warnings of voice_stack.')
  publishable!: boolean;
  @Required()
  @JsonObjectWithin(4 * 1024)
  @Describe('Micro-USD a minute by component, with the total, and whether one of them is an estimate (`estimated`).')
  cost!: Record<string, unknown>;
  @Required()
  @JsonObjectWithin(4 * 1024)
  @Describe('Milliseconds by component, with the total, and whether one of them is an estimate (`estimated`).')
  latency!: Record<string, unknown>;
  @Required()
  @Nested(() => AgentVoiceStack)
  @Describe('The voice stack as it would read.')
  voice_stack!: AgentVoiceStack;
  @Required()
  @JsonObjectWithin(limits.bodyBytes)
  @Describe('The content that calls would run on.')
  publication!: Record<string, unknown>;
  @Required()
  @JsonObjectWithin(64 * 1024)
  @Describe('Every value of the tuning in effect on an outbound phone call in the primary language.')
  effective!: Record<string, unknown>;
}
