import { ArrayMinSize, ArrayUnique, IsArray, IsIn, IsInt } from 'class-validator';
import { limits } from '../limits';
import { IntWithin, Text, Timestamp } from '../rules/constraints';
import { Default, Describe, DescribeObject, Optional, Required, Secret } from '../rules/decorators';
import { OrganizationName } from './fields';

/** What a link of a demo opens: the chat page, or the page for calls. */
export const demoKinds = ['chat', 'voice'] as const;
export type DemoKind = (typeof demoKinds)[number];

@DescribeObject('POST /v1/agents/{agent_id}/demo.')
export class DemoCreate extends OrganizationName {
  @Optional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique()
  @IsIn(demoKinds, { each: true })
  @Default(demoKinds)
  @Describe('Pages that the link opens.')
  kinds?: DemoKind[];
  @Optional()
  @Timestamp()
  @Describe('Within a year; absent: seven days from now.')
  expires_at?: string;
  @Optional()
  @IntWithin(limits.demoDailyLimit)
  @Default(limits.demoDailyLimit.default)
  @Describe('Conversations a day (UTC).')
  daily_limit?: number;
  @Optional()
  @IntWithin(limits.demoAddressLimit)
  @Default(limits.demoAddressLimit.default)
  @Describe('Of these, per client address.')
  address_limit?: number;
  @Optional()
  @IntWithin({ min: 1, max: limits.topUpMicros })
  @Default(limits.demoSpendCapMicros)
  @Describe('For all conversations; at least what one may cost.')
  spend_cap_micros?: number;
}

@DescribeObject('A public demo of an agent.')
export class Demo {
  @Required() @Text() agent_id!: string;
  @Required() @IsArray() @IsIn(demoKinds, { each: true }) @Describe('As set.') kinds!: DemoKind[];
  @Required() @Text() expires_at!: string;
  @Required() @IsInt() @Describe('As set.') daily_limit!: number;
  @Required() @IsInt() @Describe('As set.') address_limit!: number;
  @Required() @IsInt() @Describe('As set.') spend_cap_micros!: number;
  @Required() @IsInt() @Describe('With what conversations under way may cost.') spent_micros!: number;
  @Required() @IsInt() @Describe('Since midnight (UTC).') conversations_today!: number;
  @Required() @Text() created_at!: string;
  @Optional()
  @Secret()
  @Text()
  @Describe('For the links `/chat/{token}` and `/demo/{token}`. Returned once.')
  token?: string;
}
