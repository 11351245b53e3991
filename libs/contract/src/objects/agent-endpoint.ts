import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsIn, IsInt } from 'class-validator';
import { eventTypes, type EventType } from '../events';
import { limits } from '../limits';
import { Text } from '../rules/constraints';
import { Address, Ignores, ListOf, Nullable, Optional, Required } from '../rules/decorators';
import { idText, WorkspaceNames } from './fields';
import { ListQuery, pageOf } from './page';

const endpointReadOnlyFields = ['agent_endpoint_id', 'status', 'created_at', 'updated_at', 'secret'] as const;

/** Agent endpoint (2.9), the body of POST /v1/agent-endpoints. Addresses without `events` get the default set of section 6. */
@Ignores(...endpointReadOnlyFields)
export class AgentEndpoint {
  @Required() @Text(idText) organization_id!: string;
  @Required() @Text(idText) project_id!: string;
  @Required() @Address('http') webhook_url!: string;
  @Required() @Address('websocket') audio_stream_url!: string;
  @Optional() @Text(limits.name) name?: string;
  @Optional() @IsArray() @ArrayUnique() @IsIn(eventTypes, { each: true }) events?: EventType[];
}

/** The body of PATCH /v1/agent-endpoints/{agent_endpoint_id} (section 4, decisions section 6): `events` replaces the whole list. */
@Ignores(...endpointReadOnlyFields)
export class AgentEndpointUpdate extends WorkspaceNames {
  @Optional() @IsArray() @ArrayMinSize(1) @ArrayUnique() @IsIn(eventTypes, { each: true }) events?: EventType[];
  @Optional() @Address('http') webhook_url?: string;
  @Optional() @Address('websocket') audio_stream_url?: string;
  @Optional() @Text(limits.name) name?: string;
}

export const endpointStatuses = ['active', 'parked'] as const;

/** An endpoint as it is read. */
export class AgentEndpointRecord {
  @Required() @Text() agent_endpoint_id!: string;
  @Required() @Text() organization_id!: string;
  @Required() @Text() project_id!: string;
  @Optional() @Text() name?: string;
  @Required() @Text() webhook_url!: string;
  @Required() @Text() audio_stream_url!: string;
  @Required() @IsArray() @IsIn(eventTypes, { each: true }) events!: EventType[];
  @Required() @IsIn(endpointStatuses) status!: (typeof endpointStatuses)[number];
  @Required() @Text() created_at!: string;
  @Required() @Text() updated_at!: string;
}

/** The answer of creation: the signing secret, `whsec_...`, once. Absent when an Idempotency-Key brought the answer back. */
export class AgentEndpointCreated extends AgentEndpointRecord {
  @Optional() @Text() secret?: string;
}

export const AgentEndpointPage = pageOf(AgentEndpointRecord);

export const deliveryStatuses = ['pending', 'delivered', 'failed', 'parked', 'canceled'] as const;

/** One attempt of a delivery. */
export class DeliveryAttempt {
  /** From 1. */
  @Required() @IsInt() number!: number;
  @Required() @Text() started_at!: string;
  /** HTTP status; null when no answer came. */
  @Required() @Nullable() @IsInt() status!: number | null;
  @Required() @IsInt() latency_ms!: number;
  /** Such as timeout, refused_address, connection_failed, redirect; null on success. */
  @Required() @Nullable() @Text() error!: string | null;
  /** First 4 KiB of the answer, as text. */
  @Required() @Text() response_body!: string;
}

/** A delivery without its attempts, as a list shows it. */
export class DeliverySummary {
  @Required() @Text() delivery_id!: string;
  @Required() @Text() agent_endpoint_id!: string;
  @Required() @Text() event_id!: string;
  @Required() @IsIn(eventTypes) event_type!: EventType;
  @Required() @IsIn(deliveryStatuses) status!: (typeof deliveryStatuses)[number];
  @Required() @IsInt() attempt_count!: number;
  @Required() @Nullable() @Text() next_attempt_at!: string | null;
  @Required() @Text() created_at!: string;
}

/** GET /v1/deliveries/{delivery_id}. */
export class DeliveryRecord extends DeliverySummary {
  @Required() @ArrayMaxSize(100) @ListOf(() => DeliveryAttempt) attempts!: DeliveryAttempt[];
}

export const DeliveryPage = pageOf(DeliverySummary);

/** Filters of GET /v1/agent-endpoints/{agent_endpoint_id}/deliveries. */
export class DeliveryListQuery extends ListQuery {
  @Optional() @IsIn(deliveryStatuses) status?: (typeof deliveryStatuses)[number];
}
