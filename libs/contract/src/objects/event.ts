import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsBoolean, IsIn, IsInt } from 'class-validator';
import { eventTypes, maxEventDataBytes, type EventType, type EventTypeOf } from '../events';
import { limits } from '../limits';
import { IntWithin, JsonObjectWithin, Text } from '../rules/constraints';
import { Default, Describe, DescribeObject, ListOf, Nullable, Optional, Required } from '../rules/decorators';
import type { CallRecord } from './call';
import { idText } from './fields';
import type { MessageRecord } from './message';
import { pageOf, RouteQuery } from './page';

@DescribeObject('An event as it travels and as webhooks carry it.')
export class EventEnvelope {
  @Required() @Text() @Describe('evt_...; the webhook-id of every delivery of it.') id!: string;
  @Required() @IsIn(eventTypes) type!: EventType;
  @Required() @Text() created_at!: string;
  @Required() @Text() organization_id!: string;
  @Required() @Nullable() @Text() project_id!: string | null;
  @Required() @Nullable() @Text() agent_id!: string | null;
  @Required() @Text() resource_id!: string;
  @Required()
  @IsInt()
  @Describe('Counts the events of one resource from 1 without a gap: a receiver can order them.')
  resource_seq!: number;
  @Required()
  @JsonObjectWithin(maxEventDataBytes)
  @Describe('The resource as a read would have shown it then; above 256 KiB `{ "url": ... }`.')
  data!: Record<string, unknown>;
}

/** The events about a call. Their data is the call as a read would have shown it at the time of the event. */
export type CallEventType = EventTypeOf<'call'>;

/** The events about a message. */
export type MessageEventType = EventTypeOf<'message'>;

/** The type of `data` by event type. */
export type EventData<Type extends EventType> = Type extends CallEventType
  ? CallRecord
  : Type extends MessageEventType
    ? MessageRecord
    : Record<string, unknown>;

export const EventPage = pageOf(EventEnvelope);

type PatternOf<Type extends EventType> = Type extends `${infer Prefix}.${string}` ? `${Prefix}.*` : never;
type EventPattern = PatternOf<EventType>;

/** Patterns accepted in `types` of the event log; each stands for all event types with the prefix. */
const eventPatterns = [...new Set(eventTypes.map((type) => `${type.split('.', 1)[0] ?? ''}.*`))] as EventPattern[];

@DescribeObject('Filters of GET /v1/events.')
export class EventLogQuery extends RouteQuery {
  @Optional()
  @Text({ min: 1, max: 1024 })
  @Describe(
    'Where to continue: next_cursor of the previous page, the id of a server-sent event, an event id, or an ISO 8601 time with a zone. Absent: from the oldest event kept, 30 days back; a stream: from now on.',
  )
  after?: string;
  @Optional()
  @IsArray()
  @ArrayMinSize(limits.eventLogTypes.min)
  @ArrayMaxSize(limits.eventLogTypes.max)
  @ArrayUnique()
  @IsIn([...eventTypes, ...eventPatterns], { each: true })
  @Describe(
    'Comma-separated; `call.*` stands for the types that begin so and that the key may see. Absent: every type that it may see.',
  )
  types?: (EventType | EventPattern)[];
  @Optional() @Text(idText) agent_id?: string;
  @Optional() @Text(idText) @Describe('Events of one call, message or campaign.') resource_id?: string;
  @Optional() @IntWithin(limits.pageSize) @Default(limits.pageSizeDefault) limit!: number;
}

@DescribeObject('A page of the event log: the oldest first, unlike a list, because it is read forward.')
export class EventLogPage {
  @Required() @ListOf(() => EventEnvelope) data!: EventEnvelope[];
  @Required() @Text({ max: 1024 }) @Describe('Send as `after`; set even without new events.') next_cursor!: string;
  @Required() @IsBoolean() @Describe('More events exist already.') has_more!: boolean;
}
