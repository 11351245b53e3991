import { IsInt } from 'class-validator';
import { Text, Timestamp } from '../rules/constraints';
import { Describe, DescribeObject, Nested, Optional, Required, Example } from '../rules/decorators';
import { RouteQuery } from './page';

@DescribeObject('What GET /v1/usage asks for.')
export class UsageQuery extends RouteQuery {
  @Optional()
  @Timestamp()
  @Describe('From its whole hour on. Absent: 30 days before `to`. At most 93 days before `to`.')
  from?: string;
  @Optional() @Timestamp() @Describe('To its whole hour. Absent: now.') to?: string;
}

@DescribeObject('Calls that were over in the period. Trial calls are not counted; calls that were erased since are.')
export class CallUsage {
  @Required() @IsInt() @Describe('How many calls were over.') calls!: number;
  @Required() @IsInt() @Describe('How many of them were answered.') answered!: number;
  @Required() @IsInt() @Describe('Sum of the times from answer to end.') duration_seconds!: number;
  @Required() @IsInt() @Describe('What they cost, in millionths of a US dollar.') cost_micros!: number;
}

@DescribeObject('Messages of the period, by when they were created.')
export class MessageUsage {
  @Required() @IsInt() @Describe('Handed to a carrier.') sent!: number;
  @Required() @IsInt() @Describe('Received from a carrier.') received!: number;
  @Required() @IsInt() @Describe('Segments of those that were handed to a carrier.') segments!: number;
  @Required() @IsInt() @Describe('What they cost, in millionths of a US dollar.') cost_micros!: number;
}

@DescribeObject('What an organization used in a period.')
export class Usage {
  @Required() @Text() organization_id!: string;
  @Required()
  @Timestamp()
  @Describe('When the period begins: a whole hour in UTC.')
  @Example('2026-01-01T00:00:00.000Z')
  from!: string;
  @Required()
  @Timestamp()
  @Describe('When the period ends: a whole hour in UTC.')
  @Example('2026-01-31T00:00:00.000Z')
  to!: string;
  @Required() @Nested(() => CallUsage) @Describe('Calls in the period.') calls!: CallUsage;
  @Required() @Nested(() => MessageUsage) @Describe('Messages in the period.') messages!: MessageUsage;
}
