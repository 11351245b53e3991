import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsIn } from 'class-validator';
import { Text } from '../rules/constraints';
import { Closed, Describe, DescribeObject, Required, Rule } from '../rules/decorators';
import { zoneName } from './fields';

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

const clock = { pattern: /^([01]\d|2[0-3]):[0-5]\d$/, description: 'a time of day from 00:00 to 23:59' };

export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

@DescribeObject(
  'When a campaign may call: from `start` until before `end` by the clocks of one time zone, on these days.',
)
@Closed(false)
@Rule<CampaignWindow>(({ start, end, time_zone }) => {
  if (!isTimeZone(time_zone)) return 'time_zone must be an IANA time zone, such as Europe/Berlin';
  return start === end ? 'end must differ from start' : undefined;
})
export class CampaignWindow {
  @Required() @Text(zoneName) time_zone!: string;
  @Required()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(weekdays.length)
  @ArrayUnique()
  @IsIn(weekdays, { each: true })
  days!: Weekday[];
  @Required() @Text(clock) start!: string;
  @Required() @Text(clock) @Describe('Earlier than `start`: on the day after each of the days.') end!: string;
}
