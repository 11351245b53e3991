import { IsBoolean, IsIn } from 'class-validator';
import { JsonObjectWithin, Text } from '../rules/constraints';
import { Describe, DescribeObject, ListOf, Optional, Required } from '../rules/decorators';
import { RouteQuery } from './page';

export const callLiveEventTypes = ['state', 'turn', 'tool', 'ended'] as const;
export type CallLiveEventType = (typeof callLiveEventTypes)[number];

export class CallLiveQuery extends RouteQuery {
  @Optional()
  @Text({ min: 1, max: 2048 })
  @Describe('Goes on after what was read before: `next_cursor` of that answer.')
  after?: string;
}

@DescribeObject('What happens in a call that goes on.')
export class CallLiveEvent {
  @Required()
  @IsIn(callLiveEventTypes)
  @Describe(
    '`state`: the status of the call changed. `turn`: a turn began, grew or was cut short; the last one with its `turn_id` counts. `tool`: the agent called a tool. `ended`: the last one.',
  )
  type!: CallLiveEventType;
  @Required()
  @JsonObjectWithin(1024 * 1024)
  @Describe(
    'Of `state`: call_id, status, at. Of `turn`: TranscriptTurn. Of `tool`: turn_id, and an entry of its tool_calls. Of `ended`: call_id, status, ended_reason, reason_detail, transfers.',
  )
  data!: Record<string, unknown>;
}

export class CallLivePage {
  @Required() @ListOf(() => CallLiveEvent) @Describe('In their order.') data!: CallLiveEvent[];
  @Required() @Text() @Describe('To be given as `after`.') next_cursor!: string;
  @Required() @IsBoolean() @Describe('Nothing follows: the call is over.') over!: boolean;
}
