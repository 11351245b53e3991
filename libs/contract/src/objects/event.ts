import { IsIn, IsInt } from 'class-validator';
import { eventTypes, maxEventDataBytes, type EventType } from '../events';
import { JsonObjectWithin, Text } from '../rules/constraints';
import { Nullable, Required } from '../rules/decorators';
import type { CallRecord } from './call';
import { pageOf } from './page';

/** An event as it travels and as webhooks carry it (decisions section 6). */
export class EventEnvelope {
  /** evt_...; the webhook-id of every delivery of it. */
  @Required() @Text() id!: string;
  @Required() @IsIn(eventTypes) type!: EventType;
  @Required() @Text() created_at!: string;
  @Required() @Text() organization_id!: string;
  @Required() @Nullable() @Text() project_id!: string | null;
  @Required() @Nullable() @Text() agent_id!: string | null;
  @Required() @Text() resource_id!: string;
  /** Counts the events of one resource from 1 without a gap: a receiver can order them. */
  @Required() @IsInt() resource_seq!: number;
  /** The resource as a read would have shown it then; above 256 KiB `{ "url": ... }`. */
  @Required() @JsonObjectWithin(maxEventDataBytes) data!: Record<string, unknown>;
}

/** The events that tell of a call; their data is the call as a read would have shown it then. */
export type CallEventType = Extract<EventType, `call.${string}` | 'media.started'>;

/** The type of `data` by event type. */
export type EventData<Type extends EventType> = Type extends CallEventType ? CallRecord : Record<string, unknown>;

export const EventPage = pageOf(EventEnvelope);
