import { ArrayMaxSize, ArrayMinSize, IsArray, IsBoolean, IsIn, IsInt } from 'class-validator';
import { limits } from '../limits';
import { IntWithin, Text } from '../rules/constraints';
import { Describe, DescribeObject, Ignores, Nullable, Optional, Required, Example } from '../rules/decorators';
import { phoneNumber } from './fields';
import { pageOf } from './page';

/** The limits of docs/reference/tuning.md: spend and velocity caps, the maximum of live calls, and the outbound call queue. Null: no limit. */
class ControlLimits {
  @Optional()
  @Nullable()
  @IntWithin({ min: 0, max: limits.controlCount })
  @Example(100)
  @Describe('Calls that are admitted and not over.')
  live_calls?: number | null;
  @Optional()
  @Nullable()
  @IntWithin({ min: 0, max: limits.controlCount })
  @Describe('Calls admitted in any minute, and in any hour.')
  calls_per_minute?: number | null;
  @Optional() @Nullable() @IntWithin({ min: 0, max: limits.controlCount }) calls_per_hour?: number | null;
  @Optional()
  @Nullable()
  @IntWithin({ min: 0, max: limits.topUpMicros })
  @Describe('Micro-USD that the calls admitted on one day (UTC) may cost together.')
  daily_spend_micros?: number | null;
  @Optional()
  @Nullable()
  @IntWithin({ min: 0, max: limits.controlCount })
  @Describe("Calls that wait to be dialed; null: the platform's own limit.")
  queued_calls?: number | null;
}

/** PUT /v1/organizations/{organization_id}/controls. */
@Ignores('organization_id', 'updated_at', 'usage')
@DescribeObject('Replaces all limits of an organization; absent or null: no limit.')
export class ControlsUpdate extends ControlLimits {}

export class ControlsRecord extends ControlLimits {
  @Required() @Text() organization_id!: string;
  @Required() @Text() updated_at!: string;
}

/** POST /v1/calls/{call_id}/reviews/resolve. */
export const reviewDecisions = ['approve', 'reject'] as const;
export class ReviewResolve {
  @Required() @IsIn(reviewDecisions) decision!: (typeof reviewDecisions)[number];
  @Optional() @Text({ max: 64 }) organization_id?: string;
  @Optional() @Text({ max: 64 }) project_id?: string;
}

@DescribeObject('One number or many.')
export class SuppressionCreate {
  @Required()
  @IsArray()
  @ArrayMinSize(limits.suppressionsAtOnce.min)
  @ArrayMaxSize(limits.suppressionsAtOnce.max)
  @Text(phoneNumber, { each: true })
  phone_numbers!: string[];
  @Optional() @Text({ max: 200 }) reason?: string;
  @Optional() @Text({ max: 64 }) organization_id?: string;
}

export class SuppressionsAdded {
  @Required() @IsInt() @Describe('How many were not on the list before.') added!: number;
}

export class SuppressionRecord {
  @Required() @Text() phone_number!: string;
  @Required() @Text() reason!: string;
  @Required() @Text() created_at!: string;
}

export const SuppressionPage = pageOf(SuppressionRecord);

export class SuppressionRemove {
  @Required() @Text(phoneNumber) phone_number!: string;
  @Optional() @Text({ max: 64 }) organization_id?: string;
}

export class SuppressionRemoved {
  @Required() @IsBoolean() @Describe('False when it was not on the list.') removed!: boolean;
}
