import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsBoolean, IsIn, IsInt } from 'class-validator';
import { limits } from '../limits';
import { IntWithin, JsonObjectWithin, Text, Timestamp } from '../rules/constraints';
import {
  Closed,
  Default,
  Describe,
  DescribeObject,
  Ignores,
  ListOf,
  Nested,
  Nullable,
  Optional,
  Required,
  Rule,
} from '../rules/decorators';
import { CampaignWindow, isTimeZone } from './campaign-window';
import { reviewDecisions } from './controls';
import { idText, phoneNumber, WorkspaceNames, zoneName } from './fields';
import { listedOf, ListQuery, pageOf, ProjectListQuery, Summary, Sort, type ListOrder } from './page';

export const campaignStatuses = ['draft', 'running', 'paused', 'completed', 'canceled'] as const;
/** The transitions are `draft → running ⇄ paused → completed | canceled`. */
export type CampaignStatus = (typeof campaignStatuses)[number];

/** The outcomes after which a retry is possible. */
export const retryOutcomes = ['busy', 'no_answer', 'voicemail', 'failed'] as const;
export type RetryOutcome = (typeof retryOutcomes)[number];

/** The outcomes of an attempt; the outcome of a contact is that of its last attempt. */
export const contactOutcomes = [
  'answered',
  'no_human',
  ...retryOutcomes,
  'canceled',
  'rejected',
  'suppressed',
  'policy_blocked',
  'invalid',
] as const;
export type ContactOutcome = (typeof contactOutcomes)[number];

/** `not_called`: the campaign ended before the contact was called. */
export const contactStatuses = ['pending', 'active', 'completed', 'not_called'] as const;
export type ContactStatus = (typeof contactStatuses)[number];

/**
 * `placing`: the call is being admitted. `waiting`: there was no capacity to admit it. `placed`: it was admitted. `review`: policy holds it for a review.
 * `approved`: a reviewer approved it, and it waits for a free line.
 */
export const attemptStatuses = ['placing', 'waiting', 'placed', 'review', 'approved', 'over'] as const;
export type AttemptStatus = (typeof attemptStatuses)[number];

@DescribeObject('Who is called again.')
@Closed(false)
export class CampaignRetry {
  @Required()
  @IntWithin(limits.retryAttempts)
  @Describe('Calls to one contact in all, the first included.')
  attempts!: number;
  @Required() @IntWithin(limits.retryDelayMinutes) delay_minutes!: number;
  @Required()
  @IsArray()
  @ArrayMaxSize(retryOutcomes.length)
  @ArrayUnique()
  @IsIn(retryOutcomes, { each: true })
  on!: RetryOutcome[];
}

@DescribeObject('A person to call. A campaign contains a number only once.')
@Closed(false)
@Rule<CampaignContactCreate>(({ time_zone: zone }) =>
  zone === undefined || isTimeZone(zone) ? undefined : 'time_zone must be an IANA time zone, such as Europe/Berlin',
)
export class CampaignContactCreate {
  @Required() @Text(phoneNumber) to!: string;
  @Optional() @JsonObjectWithin(limits.contactBytes) variables?: Record<string, unknown>;
  @Optional() @JsonObjectWithin(limits.contactBytes) metadata?: Record<string, unknown>;
  @Optional()
  @IsBoolean()
  @Describe('The client declares that the contact agreed to be called; outbound policy may require it.')
  consent?: boolean;
  @Optional() @Text(zoneName) @Describe('Of quiet hours, in place of those of the number.') time_zone?: string;
}

/** The fields that creation and update share. */
class CampaignFields extends WorkspaceNames {
  @Optional() @Nullable() @Nested(() => CampaignWindow) window?: CampaignWindow | null;
  @Optional()
  @IntWithin(limits.campaignConcurrent)
  @Default(limits.campaignConcurrentDefault)
  @Describe('Calls of the campaign that are not over.')
  max_concurrent?: number;
  @Optional()
  @IntWithin(limits.campaignCallsPerMinute)
  @Default(limits.campaignCallsPerMinuteDefault)
  @Describe('Calls placed in any minute.')
  calls_per_minute?: number;
  @Optional() @Nullable() @Nested(() => CampaignRetry) retry?: CampaignRetry | null;
  @Optional() @Nullable() @Timestamp() @Describe('No call is placed after it.') ends_at?: string | null;
  @Optional()
  @Nullable()
  @IntWithin({ min: 1, max: 100 })
  @Default(limits.campaignFailurePercentDefault)
  @Describe('The campaign pauses if this percentage of its last 50 attempts failed; null: never.')
  pause_at_failure_percent?: number | null;
  @Optional() @JsonObjectWithin(limits.metadataBytes) metadata?: Record<string, unknown>;
}

const readOnlyNames = [
  'campaign_id',
  'status',
  'paused_reason',
  'end_reason',
  'waits_for',
  'statistics',
  'launched_at',
  'paused_at',
  'completed_at',
  'canceled_at',
  'created_at',
  'updated_at',
] as const;

@DescribeObject('POST /v1/campaigns.')
@Ignores(...readOnlyNames)
export class CampaignCreate extends CampaignFields {
  @Required() @Text(idText) agent_id!: string;
  @Required() @Text({ min: 1, max: limits.name.max }) name!: string;
  @Optional() @Text(phoneNumber) @Describe("A number of the agent's project; its only one when omitted.") from?: string;
  @Optional()
  @ArrayMaxSize(limits.contactsAtOnce.max)
  @ListOf(() => CampaignContactCreate)
  contacts?: CampaignContactCreate[];
}

@DescribeObject('What is absent stays; null sets an optional part back.')
@Ignores(...readOnlyNames)
export class CampaignUpdate extends CampaignFields {
  @Optional() @Text(idText) @Describe('In a draft only.') agent_id?: string;
  @Optional() @Text({ min: 1, max: limits.name.max }) name?: string;
  @Optional() @Text(phoneNumber) from?: string;
}

@DescribeObject('How contacts came out so far.')
export class CampaignOutcomes {
  @Required() @IsInt() answered!: number;
  @Required() @IsInt() no_human!: number;
  @Required() @IsInt() busy!: number;
  @Required() @IsInt() no_answer!: number;
  @Required() @IsInt() voicemail!: number;
  @Required() @IsInt() failed!: number;
  @Required() @IsInt() canceled!: number;
  @Required() @IsInt() rejected!: number;
  @Required() @IsInt() suppressed!: number;
  @Required() @IsInt() policy_blocked!: number;
  @Required() @IsInt() invalid!: number;
}

/** Stored and updated with every change, so that reads need not count. */
@DescribeObject('`contacts` is the sum of the next five.')
export class CampaignStatistics {
  @Required() @IsInt() contacts!: number;
  @Required() @IsInt() @Describe('With a call still to be placed.') pending!: number;
  @Required() @IsInt() @Describe('With a call that is not over: what max_concurrent bounds.') live!: number;
  @Required()
  @IsInt()
  @Describe('With a call that waits for room, or for a free line after its review.')
  waiting!: number;
  @Required() @IsInt() in_review!: number;
  @Required() @IsInt() completed!: number;
  @Required() @IsInt() @Describe('Calls placed.') attempts!: number;
  @Required() @Nested(() => CampaignOutcomes) outcomes!: CampaignOutcomes;
}

@DescribeObject('A campaign as reads show it.')
export class CampaignRecord {
  @Required() @Text() campaign_id!: string;
  @Required() @Text() organization_id!: string;
  @Required() @Text() project_id!: string;
  @Required() @Text() agent_id!: string;
  @Required() @Text() name!: string;
  @Required() @Text() from!: string;
  @Required() @Nullable() @Nested(() => CampaignWindow) window!: CampaignWindow | null;
  @Required() @IsInt() max_concurrent!: number;
  @Required() @IsInt() calls_per_minute!: number;
  @Required() @Nullable() @Nested(() => CampaignRetry) retry!: CampaignRetry | null;
  @Required() @Nullable() @Text() ends_at!: string | null;
  @Required() @Nullable() @IsInt() pause_at_failure_percent!: number | null;
  @Required() @JsonObjectWithin(limits.metadataBytes) metadata!: Record<string, unknown>;
  @Required() @IsIn(campaignStatuses) status!: CampaignStatus;
  @Required()
  @Nullable()
  @Text()
  @Describe(
    'requested | failure_rate | agent_inactive | agent_not_found | not_runnable | number_released; null while it is not paused.',
  )
  paused_reason!: string | null;
  @Required() @Nullable() @Text() @Describe('all_contacts | ends_at; null while it is not completed.') end_reason!:
    string | null;
  @Required()
  @Nullable()
  @Text()
  @Describe(
    'Why a running campaign places nothing now: window | pace | maintenance | reviews | suspended, or what refused its calls.',
  )
  waits_for!: string | null;
  @Required() @Nested(() => CampaignStatistics) statistics!: CampaignStatistics;
  @Required() @Nullable() @Text() launched_at!: string | null;
  @Required() @Nullable() @Text() paused_at!: string | null;
  @Required() @Nullable() @Text() completed_at!: string | null;
  @Required() @Nullable() @Text() canceled_at!: string | null;
  @Required() @Text() created_at!: string;
  @Required() @Text() updated_at!: string;
}

/** What a list of campaigns with `summary` shows of each. */
export const campaignSummaryFields = [
  ...(['campaign_id', 'organization_id', 'project_id', 'agent_id', 'name', 'status'] as const),
  ...(['paused_reason', 'end_reason', 'waits_for', 'created_at'] as const),
] as const;
export const ListedCampaign = listedOf(CampaignRecord, 'ListedCampaign', campaignSummaryFields);
export const CampaignPage = pageOf(ListedCampaign, 'CampaignRecordPage');

@DescribeObject('Filters of GET /v1/campaigns.')
export class CampaignListQuery extends ProjectListQuery {
  @Optional() @Text(idText) agent_id?: string;
  @Optional() @IsIn(campaignStatuses) status?: CampaignStatus;
  @Sort() sort!: ListOrder;
  @Summary() summary!: boolean;
}

@DescribeObject('Contacts, also as text/csv.')
export class CampaignContactsAdd extends WorkspaceNames {
  @Required()
  @ArrayMinSize(limits.contactsAtOnce.min)
  @ArrayMaxSize(limits.contactsAtOnce.max)
  @ListOf(() => CampaignContactCreate)
  contacts!: CampaignContactCreate[];
}

@DescribeObject('A contact as reads show it, and the `data` of campaign.contact.completed.')
export class CampaignContactRecord {
  @Required() @Text() contact_id!: string;
  @Required() @Text() campaign_id!: string;
  @Required() @Text() to!: string;
  @Required() @IsIn(contactStatuses) status!: ContactStatus;
  @Required()
  @Nullable()
  @IsIn(contactOutcomes)
  @Describe('Null until it is completed.')
  outcome!: ContactOutcome | null;
  @Required() @IsInt() attempts!: number;
  @Required() @Nullable() @Text() next_attempt_at!: string | null;
  @Required() @Nullable() @Text() last_call_id!: string | null;
  @Required() @JsonObjectWithin(limits.contactBytes) variables!: Record<string, unknown>;
  @Required() @JsonObjectWithin(limits.contactBytes) metadata!: Record<string, unknown>;
  @Required() @IsBoolean() consent!: boolean;
  @Required() @Nullable() @Text() @Describe('Null: by the number.') time_zone!: string | null;
  @Required() @Text() created_at!: string;
  @Required() @Nullable() @Text() completed_at!: string | null;
}

export const CampaignContactPage = pageOf(CampaignContactRecord);

export class CampaignContactListQuery extends ListQuery {
  @Optional() @IsIn(contactStatuses) status?: ContactStatus;
}

@DescribeObject('One call to a contact.')
export class CampaignAttemptRecord {
  @Required() @Text() attempt_id!: string;
  @Required() @Text() campaign_id!: string;
  @Required() @Text() contact_id!: string;
  @Required() @Nullable() @Text() call_id!: string | null;
  @Required() @IsIn(attemptStatuses) status!: AttemptStatus;
  @Required() @Nullable() @IsIn(contactOutcomes) outcome!: ContactOutcome | null;
  @Required() @Nullable() @Text() @Describe('Why it waits.') waits_for!: string | null;
  @Required()
  @IsBoolean()
  @Describe('Withdrawn before dialing because the campaign was paused; not counted.')
  withdrawn!: boolean;
  @Required() @Text() created_at!: string;
  @Required() @Nullable() @Text() completed_at!: string | null;
}

export const CampaignAttemptPage = pageOf(CampaignAttemptRecord);

export class CampaignAttemptListQuery extends ListQuery {
  @Optional() @IsIn(attemptStatuses) status?: AttemptStatus;
  @Optional() @Text(idText) contact_id?: string;
}

@DescribeObject('POST /v1/campaigns/{campaign_id}/reviews/{attempt_id}/resolve.')
export class CampaignReviewResolve extends WorkspaceNames {
  @Required() @IsIn(reviewDecisions) decision!: (typeof reviewDecisions)[number];
}

@DescribeObject('POST /v1/campaigns/{campaign_id}/duplicate.')
export class CampaignDuplicate extends WorkspaceNames {
  @Optional() @Text({ min: 1, max: limits.name.max }) name?: string;
  @Optional() @IsBoolean() @Default(true) @Describe('Whether the contacts are copied too.') contacts?: boolean;
}
