import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn } from 'class-validator';
import { limits } from '../limits';
import { IntWithin, Text } from '../rules/constraints';
import {
  Closed,
  Default,
  Describe,
  DescribeObject,
  Example,
  Ignores,
  ListOf,
  Nested,
  Nullable,
  Optional,
  Required,
  Rule,
} from '../rules/decorators';

/** With `shadow`, the rule has no effect, but its result is recorded on the call. */
export const policyRuleModes = ['enforce', 'shadow', 'off'] as const;
/** `block`: the call becomes policy_blocked. `review`: the call becomes needs_review and waits for a reviewer. */
export const policyRuleActions = ['block', 'review'] as const;

@Closed(false)
class PolicyRuleSettings {
  @Required() @IsIn(policyRuleModes) mode!: (typeof policyRuleModes)[number];
  @Optional() @IsIn(policyRuleActions) @Default('block') action?: (typeof policyRuleActions)[number];
}

@DescribeObject(
  'Which countries may be called. A number of no known country is on no list, so that `allow` refuses it.',
)
export class DestinationCountriesRule extends PolicyRuleSettings {
  @Required() @IsIn(['allow', 'deny']) list!: 'allow' | 'deny';
  @Required()
  @IsArray()
  @ArrayMinSize(limits.policyCountries.min)
  @ArrayMaxSize(limits.policyCountries.max)
  @Text(
    { pattern: /^[A-Z]{2}$/, description: 'a country of ISO 3166-1 in two capital letters, such as US' },
    { each: true },
  )
  @Describe('ISO 3166-1, two capital letters.')
  countries!: string[];
}

const clock = { pattern: /^([01]\d|2[0-3]):[0-5]\d$/, description: 'a time of day from 00:00 to 23:59' };

@DescribeObject(
  'When no one may be called, in every time zone that the number may be in; from `start` until before `end`.',
)
@Rule<QuietHoursRule>(({ start, end }) => (start === end ? 'end must differ from start' : undefined))
export class QuietHoursRule extends PolicyRuleSettings {
  @Required() @Text(clock) start!: string;
  @Required() @Text(clock) @Describe('Earlier than `start`: on the next day.') end!: string;
}

/** Only calls with `consent: true` may be placed. */
export class ConsentRequiredRule extends PolicyRuleSettings {}

const capNames = ['live_calls', 'calls_per_minute', 'calls_per_hour', 'daily_spend_micros'] as const;

@DescribeObject(
  'How many calls, and for how much, policy lets go; a call beyond is no error but recorded as the action says. Absent or null: no such cap.',
)
@Rule<CapsRule>((caps) =>
  capNames.every((name) => (caps[name] ?? null) === null) ? `one of ${capNames.join(', ')} is required` : undefined,
)
export class CapsRule extends PolicyRuleSettings {
  @Optional()
  @Nullable()
  @IntWithin({ min: 0, max: limits.controlCount })
  @Describe('Calls that are not over.')
  live_calls?: number | null;
  @Optional() @Nullable() @IntWithin({ min: 0, max: limits.controlCount }) calls_per_minute?: number | null;
  @Optional() @Nullable() @IntWithin({ min: 0, max: limits.controlCount }) calls_per_hour?: number | null;
  @Optional()
  @Nullable()
  @IntWithin({ min: 0, max: limits.topUpMicros })
  @Describe('Micro-USD that the calls of one day (UTC) may cost together.')
  daily_spend_micros?: number | null;
}

@DescribeObject('What an agent says in one language before a call is recorded.')
@Closed(false)
export class RecordingAnnouncement {
  @Required()
  @Text(limits.languageCode)
  @Describe('Such as de-CH or de; a call in de-AT is announced by de.')
  language!: string;
  @Required() @Text({ min: 1, max: 500 }) @Describe('Always said completely.') text!: string;
}

class OutboundPolicyRules {
  @Optional()
  @Nullable()
  @Nested(() => DestinationCountriesRule)
  destination_countries?: DestinationCountriesRule | null;
  @Optional() @Nullable() @Nested(() => QuietHoursRule) quiet_hours?: QuietHoursRule | null;
  @Optional() @Nullable() @Nested(() => ConsentRequiredRule) consent_required?: ConsentRequiredRule | null;
  @Optional() @Nullable() @Nested(() => CapsRule) caps?: CapsRule | null;
  @Optional()
  @Nullable()
  @ArrayMinSize(1)
  @ArrayMaxSize(50)
  @ListOf(() => RecordingAnnouncement)
  @Describe(
    'Of calls that record: the recording begins after it. A call in a language without one is not recorded. Null or absent: nothing is announced.',
  )
  recording_announcements?: RecordingAnnouncement[] | null;
  @Optional()
  @Nullable()
  @IntWithin({ min: 1, max: limits.topUpMicros })
  @Example(5_000_000)
  @Describe(
    'Micro-USD that one call may cost: its agent says goodbye ten seconds before, and it ends with `spend_cap`. Null or absent: no cap.',
  )
  call_spend_micros?: number | null;
}

/** PUT /v1/organizations/{organization_id}/policy. */
@Ignores('organization_id', 'updated_at')
@DescribeObject("Replaces an organization's own rules of outbound policy; a rule that is absent or null does not hold.")
export class OutboundPolicyUpdate extends OutboundPolicyRules {}

export class OutboundPolicyRecord extends OutboundPolicyRules {
  @Required() @Text() organization_id!: string;
  @Required() @Nullable() @Text() @Describe('Null if it was never set.') updated_at!: string | null;
}
