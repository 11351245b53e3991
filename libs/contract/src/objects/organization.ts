import { IsBoolean, IsIn, IsInt } from 'class-validator';
import { limits } from '../limits';
import { IntWithin, JsonObjectWithin, Text, Timestamp } from '../rules/constraints';
import {
  Default,
  Describe,
  DescribeObject,
  Ignores,
  Nested,
  Nullable,
  Optional,
  Required,
  Rule,
  Example,
} from '../rules/decorators';
import { pageOf } from './page';

export const billingModes = ['unmetered', 'prepaid'] as const;
export type BillingMode = (typeof billingModes)[number];
export const organizationStatuses = ['active', 'suspended'] as const;
export type OrganizationStatus = (typeof organizationStatuses)[number];

@DescribeObject('POST /v1/organizations.')
@Ignores('organization_id', 'status', 'suspension', 'created_at')
export class OrganizationCreate {
  @Required() @Text({ min: 1, max: limits.name.max }) name!: string;
  @Optional() @IsIn(billingModes) @Default('unmetered') billing?: BillingMode;
}

@DescribeObject('Applies to everything admitted from then on.')
@Ignores('name', 'status', 'suspension', 'created_at')
export class OrganizationUpdate {
  @Required() @IsIn(billingModes) billing!: BillingMode;
  @Optional() @Text({ max: 64 }) organization_id?: string;
}

@DescribeObject('POST /v1/organizations/{organization_id}/suspend.')
export class OrganizationSuspend {
  @Optional()
  @Text({ min: 1, max: 500 })
  @Example('Unpaid invoice')
  @Describe('Shown with the time while the organization is suspended.')
  reason?: string;
  @Optional() @Text({ max: 64 }) organization_id?: string;
}

/** Why and since when an organization is suspended. */
@DescribeObject('Present while the organization is suspended.')
export class OrganizationSuspension {
  @Required() @Nullable() @Text() @Describe('Given by the operator; null if none.') reason!: string | null;
  @Required() @Text() suspended_at!: string;
}

export class OrganizationRecord {
  @Required() @Text() organization_id!: string;
  @Required() @Text() name!: string;
  @Required() @IsIn(billingModes) billing!: BillingMode;
  @Required() @IsIn(organizationStatuses) status!: OrganizationStatus;
  @Optional() @Nested(() => OrganizationSuspension) suspension?: OrganizationSuspension;
  @Required() @Text() created_at!: string;
}

export const OrganizationPage = pageOf(OrganizationRecord);

@DescribeObject("POST /v1/organizations/{organization_id}/projects. An organization_id in the body must be the path's.")
@Ignores('project_id', 'created_at')
export class ProjectCreate {
  @Required() @Text({ min: 1, max: limits.name.max }) name!: string;
  @Optional() @Text({ max: 64 }) organization_id?: string;
}

export class ProjectRecord {
  @Required() @Text() project_id!: string;
  @Required() @Text() organization_id!: string;
  @Required() @Text() name!: string;
  @Required() @Text() created_at!: string;
}

export const ProjectPage = pageOf(ProjectRecord);

@DescribeObject('One entry of the append-only audit log.')
export class AuditEntry {
  @Required() @Text() audit_id!: string;
  @Required() @Nullable() @Text() organization_id!: string | null;
  @Required() @Nullable() @Text() actor_key_id!: string | null;
  @Required() @Text() @Describe('Such as api_key.minted.') action!: string;
  @Required() @Text() subject!: string;
  @Required() @JsonObjectWithin(limits.metadataBytes) detail!: Record<string, unknown>;
  @Required()
  @Nullable()
  @Text()
  @Describe('Address of the client that requested it; null if no client did.')
  client_address!: string | null;
  @Required()
  @Nullable()
  @Text()
  @Describe("The client's User-Agent header, cut to 256 characters; null if it sent none.")
  user_agent!: string | null;
  @Required() @Text() created_at!: string;
}

export const AuditPage = pageOf(AuditEntry);

@DescribeObject('Without times the window is open while `active`.')
@Rule((value: MaintenanceUpdate) =>
  value.starts_at && value.ends_at && Date.parse(value.ends_at) <= Date.parse(value.starts_at)
    ? 'ends_at must be after starts_at'
    : undefined,
)
export class MaintenanceUpdate {
  @Required()
  @IsBoolean()
  @Describe('Opens or ends a window without `starts_at`; has no meaning with it.')
  active!: boolean;
  @Optional()
  @IntWithin({ min: 1, max: 86_400 })
  @Default(60)
  @Describe('The Retry-After of a window without `ends_at`; of one with it, Retry-After is what remains.')
  retry_after_seconds?: number;
  @Optional()
  @Nullable()
  @Timestamp()
  @Describe('A plan: the window opens at this time by itself, and ends at `ends_at`.')
  starts_at?: string | null;
  @Optional() @Nullable() @Timestamp() ends_at?: string | null;
  @Optional() @Nullable() @Text({ max: 500 }) message?: string | null;
}

export class MaintenanceRecord {
  @Required() @IsBoolean() @Describe('Whether the window is open at the moment of the read.') active!: boolean;
  @Required() @IsInt() retry_after_seconds!: number;
  @Required() @Nullable() @Text() starts_at!: string | null;
  @Required() @Nullable() @Text() ends_at!: string | null;
  @Required() @Nullable() @Text() message!: string | null;
}
