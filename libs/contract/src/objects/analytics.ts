import { IsIn, IsInt } from 'class-validator';
import { Text, Timestamp } from '../rules/constraints';
import { Default, Describe, DescribeObject, ListOf, Nested, Nullable, Optional, Required } from '../rules/decorators';
import { idText, zoneName } from './fields';
import { RouteQuery } from './page';

export const analyticsIntervals = ['hour', 'day'] as const;
export const analyticsGroups = [
  'project_id',
  'agent_id',
  'direction',
  'channel',
  'carrier',
  'status',
  'ended_reason',
] as const;

@DescribeObject('What GET /v1/analytics/calls asks for.')
export class CallAnalyticsQuery extends RouteQuery {
  @Optional()
  @IsIn(analyticsIntervals)
  @Default('day')
  @Describe('How long a slice is: an hour in UTC, or a day in `time_zone`.')
  interval!: (typeof analyticsIntervals)[number];
  @Optional()
  @Text(zoneName)
  @Default('UTC')
  @Describe('The IANA time zone of days, such as Europe/Berlin. A day begins with its first whole hour of UTC.')
  time_zone?: string;
  @Optional()
  @IsIn(analyticsGroups)
  @Describe('Of what each interval has a slice for every value. Absent: one slice for an interval.')
  group_by?: (typeof analyticsGroups)[number];
  @Optional()
  @Timestamp()
  @Describe(
    'Calls over at this time or later, from its whole hour on. Absent: a day before `to` by hour, 30 days by day. At most 31 days before it by hour, 400 by day.',
  )
  from?: string;
  @Optional()
  @Timestamp()
  @Describe('Calls that were over before this time, to its whole hour. Absent: now.')
  to?: string;
  @Optional() @Text(idText) project_id?: string;
  @Optional() @Text(idText) agent_id?: string;
}

@DescribeObject("From the caller's last voice to the agent's first sound, within 5 %; null if no turn was measured.")
export class TurnLatencyFigures {
  @Required() @Nullable() @IsInt() @Describe('Half of the turns were answered sooner. Milliseconds.') p50!:
    number | null;
  @Required() @Nullable() @IsInt() @Describe('95 % of the turns were answered sooner. Milliseconds.') p95!:
    number | null;
}

@DescribeObject('Calls that were over in one interval. Trial calls are not counted; erased ones are.')
export class CallAnalyticsSlice {
  @Required() @Timestamp() @Describe('When the interval begins.') start!: string;
  @Required()
  @Nullable()
  @Text()
  @Describe('The value of what group_by names, empty if these calls have none; null without group_by.')
  key!: string | null;
  @Required() @IsInt() @Describe('How many calls were over.') calls!: number;
  @Required() @IsInt() @Describe('How many of them were answered.') answered!: number;
  @Required() @IsInt() @Describe('Sum of the times from answer to end.') duration_seconds!: number;
  @Required() @IsInt() @Describe('What they cost, in millionths of a US dollar.') cost_micros!: number;
  @Required()
  @Nested(() => TurnLatencyFigures)
  @Describe('How long callers waited for an answer of the agent.')
  turn_latency_ms!: TurnLatencyFigures;
}

@DescribeObject('Slices in order of time, then of key; an interval without a call has none. At most 5,000, else 400.')
export class CallAnalytics {
  @Required() @ListOf(() => CallAnalyticsSlice) @Describe('The slices.') data!: CallAnalyticsSlice[];
}
