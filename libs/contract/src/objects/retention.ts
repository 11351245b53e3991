import { IsIn, IsInt } from 'class-validator';
import { limits } from '../limits';
import { IntWithin, Text } from '../rules/constraints';
import { Describe, DescribeObject, Ignores, Nested, Nullable, Optional, Required, Example } from '../rules/decorators';
import { phoneNumber } from './fields';

const { min, max } = limits.retentionDays;

/** Days after the end of a call or of a message. */
class RetentionDays {
  @Optional()
  @Nullable()
  @IntWithin({ min, max })
  @Example(90)
  @Describe('Then a call is erased as by DELETE, and contacts of campaigns that are over are removed.')
  calls_days?: number | null;
  @Optional()
  @Nullable()
  @IntWithin({ min, max })
  @Describe('Then transcript, events, variables and metadata of a call are erased.')
  content_days?: number | null;
  @Optional()
  @Nullable()
  @IntWithin({ min, max })
  @Describe('Days until the recording is erased.')
  recordings_days?: number | null;
  @Optional()
  @Nullable()
  @IntWithin({ min, max })
  @Describe('Days until a message is erased.')
  messages_days?: number | null;
}

/** PUT /v1/organizations/{organization_id}/retention. */
@Ignores('organization_id', 'updated_at')
@DescribeObject(
  'Replaces how long an organization keeps what it has of people; absent or null: until it is erased by request.',
)
export class RetentionUpdate extends RetentionDays {}

@DescribeObject('Days that an organization keeps what it has of people; null: until it is erased by request.')
export class RetentionRecord extends RetentionDays {
  @Required() @Text() organization_id!: string;
  @Required() @Nullable() @Text() @Describe('Null if it was never set.') updated_at!: string | null;
}

@DescribeObject('The telephone number that is to be erased everywhere.')
export class ErasureCreate {
  @Required() @Text(phoneNumber) phone_number!: string;
  @Optional() @Text({ max: 64 }) organization_id?: string;
}

@DescribeObject('What was erased so far.')
export class ErasureProgress {
  @Required() @IsInt() @Describe('Calls that were erased.') calls!: number;
  @Required() @IsInt() @Describe('Messages that were erased.') messages!: number;
  @Required() @IsInt() contacts!: number;
  @Required()
  @IsInt()
  @Describe('Erased calls, messages and contacts whose copies in events and deliveries are not yet.')
  copies_left!: number;
}

export const erasureStatuses = ['running', 'done', 'failed'] as const;

@DescribeObject('An erasure of a telephone number, without the number.')
export class ErasureRecord {
  @Required() @Text() erasure_id!: string;
  @Required() @Text() organization_id!: string;
  @Required()
  @IsIn(erasureStatuses)
  @Describe('running: also while a call, message or contact with the number is not over.')
  status!: (typeof erasureStatuses)[number];
  @Required() @Nested(() => ErasureProgress) @Describe('What was erased so far.') progress!: ErasureProgress;
  @Required() @Text() created_at!: string;
  @Required() @Nullable() @Text() finished_at!: string | null;
}
