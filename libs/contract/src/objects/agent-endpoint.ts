import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsIn, IsInt } from 'class-validator';
import { deliveredTypes, eventTypes, type DeliveredType, type EventType } from '../events';
import { limits } from '../limits';
import { IntWithin, Text, Timestamp } from '../rules/constraints';
import {
  Address,
  Default,
  Describe,
  DescribeObject,
  Ignores,
  ListOf,
  Nullable,
  Optional,
  Required,
  Secret,
  Example,
} from '../rules/decorators';
import { idText, WorkspaceNames } from './fields';
import { ListQuery, pageOf, Sort, type ListOrder } from './page';

const { min: slowest, max: fastest } = limits.deliveriesPerSecond;
const { min: shortestOverlap, max: longestOverlap, default: usualOverlap } = limits.secretOverlapHours;

const endpointReadOnlyFields = ['agent_endpoint_id', 'status', 'created_at', 'updated_at', 'secret'] as const;

@DescribeObject('Without `events`, addresses get the default set.')
@Ignores(...endpointReadOnlyFields)
export class AgentEndpoint {
  @Required() @Text(idText) organization_id!: string;
  @Required() @Text(idText) project_id!: string;
  @Required() @Address('http') webhook_url!: string;
  @Required() @Address('websocket') audio_stream_url!: string;
  @Optional() @Text(limits.name) name?: string;
  @Optional() @IsArray() @ArrayUnique() @IsIn(eventTypes, { each: true }) events?: EventType[];
  @Optional()
  @IntWithin({ min: slowest, max: fastest })
  @Describe('Attempts that are begun in a second at most; absent: as many as the receiver takes.')
  max_deliveries_per_second?: number;
}

@DescribeObject('The body of PATCH /v1/agent-endpoints/{agent_endpoint_id}: `events` replaces the whole list.')
@Ignores(...endpointReadOnlyFields)
export class AgentEndpointUpdate extends WorkspaceNames {
  @Optional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique()
  @IsIn(eventTypes, { each: true })
  @Example(['call.completed'])
  events?: EventType[];
  @Optional() @Address('http') webhook_url?: string;
  @Optional() @Address('websocket') audio_stream_url?: string;
  @Optional() @Text(limits.name) name?: string;
  @Optional()
  @Nullable()
  @IntWithin({ min: slowest, max: fastest })
  @Describe('Null removes the limit.')
  max_deliveries_per_second?: number | null;
}

export const endpointStatuses = ['active', 'parked'] as const;

@DescribeObject('An endpoint as reads show it.')
export class AgentEndpointRecord {
  @Required() @Text() agent_endpoint_id!: string;
  @Required() @Text() organization_id!: string;
  @Required() @Text() project_id!: string;
  @Optional() @Text() name?: string;
  @Required() @Text() webhook_url!: string;
  @Required() @Text() audio_stream_url!: string;
  @Required() @IsArray() @IsIn(eventTypes, { each: true }) events!: EventType[];
  @Optional() @IsInt() max_deliveries_per_second?: number;
  @Required()
  @IsIn(endpointStatuses)
  @Describe('parked: it failed for five days or answered 410; its deliveries are kept for recovery.')
  status!: (typeof endpointStatuses)[number];
  @Required() @Text() created_at!: string;
  @Required() @Text() updated_at!: string;
}

@DescribeObject('At creation, once: the signing secret, `whsec_...`.')
export class AgentEndpointCreated extends AgentEndpointRecord {
  @Optional() @Secret() @Text() secret?: string;
}

export const AgentEndpointPage = pageOf(AgentEndpointRecord);

@DescribeObject('POST /v1/agent-endpoints/{agent_endpoint_id}/rotate-secret.')
export class SecretRotation extends WorkspaceNames {
  @Optional()
  @IntWithin({ min: shortestOverlap, max: longestOverlap })
  @Default(usualOverlap)
  @Describe('How many hours older secrets also sign; 0: they end now.')
  overlap_hours?: number;
}

@DescribeObject('POST /v1/agent-endpoints/{agent_endpoint_id}/recover.')
export class RecoveryRequest extends WorkspaceNames {
  @Required()
  @Timestamp()
  @Describe('Deliveries made since then that failed or were parked are sent again.')
  since!: string;
}

export const recoveryStatuses = ['running', 'completed', 'stopped'] as const;

@DescribeObject('A recovery and how far it has come.')
export class RecoveryRecord {
  @Required() @Text() recovery_id!: string;
  @Required() @Text() agent_endpoint_id!: string;
  @Required() @Text() since!: string;
  @Required()
  @IsIn(recoveryStatuses)
  @Describe('stopped: the endpoint was parked again or deleted meanwhile.')
  status!: (typeof recoveryStatuses)[number];
  @Required() @IsInt() @Describe('Deliveries looked at so far.') examined!: number;
  @Required() @IsInt() @Describe('Deliveries put back into the queue so far.') recovered!: number;
  @Required() @Text() created_at!: string;
  @Required() @Nullable() @Text() finished_at!: string | null;
}

export const RecoveryPage = pageOf(RecoveryRecord);

export const deliveryStatuses = ['pending', 'delivered', 'failed', 'parked', 'canceled'] as const;

@DescribeObject('One attempt of a delivery.')
export class DeliveryAttempt {
  @Required() @IsInt() @Describe('Counted from 1.') number!: number;
  @Required() @Text() started_at!: string;
  @Required() @Nullable() @IsInt() @Describe('HTTP status; null when no answer came.') status!: number | null;
  @Required() @IsInt() latency_ms!: number;
  @Required()
  @Nullable()
  @Text()
  @Describe('Such as timeout, refused_address, connection_failed, redirect; null on success.')
  error!: string | null;
  @Required() @Text() @Describe('First 4 KiB of the answer, as text.') response_body!: string;
}

@DescribeObject('A delivery without its attempts, as a list shows it.')
export class DeliverySummary {
  @Required() @Text() delivery_id!: string;
  @Required() @Text() agent_endpoint_id!: string;
  @Required() @Text() event_id!: string;
  @Required() @IsIn(deliveredTypes) event_type!: DeliveredType;
  @Required() @IsIn(deliveryStatuses) status!: (typeof deliveryStatuses)[number];
  @Required() @IsInt() attempt_count!: number;
  @Required() @Nullable() @Text() next_attempt_at!: string | null;
  @Required() @Text() created_at!: string;
}

@DescribeObject('GET /v1/deliveries/{delivery_id}.')
export class DeliveryRecord extends DeliverySummary {
  @Required() @ArrayMaxSize(100) @ListOf(() => DeliveryAttempt) attempts!: DeliveryAttempt[];
}

export const DeliveryPage = pageOf(DeliverySummary);

/** The filters that searches of deliveries and of attempts share. */
class SearchQuery extends ListQuery {
  @Optional() @IsIn(deliveredTypes) @Describe('Only events of this type.') type?: DeliveredType;
  @Optional() @Timestamp() @Describe('Only deliveries since then.') since?: string;
  @Optional() @Timestamp() @Describe('Older than this.') until?: string;
}

@DescribeObject('Filters of GET /v1/agent-endpoints/{agent_endpoint_id}/deliveries.')
export class DeliveryListQuery extends SearchQuery {
  @Optional() @IsIn(deliveryStatuses) status?: (typeof deliveryStatuses)[number];
  @Sort() sort!: ListOrder;
}

export const attemptOutcomes = ['succeeded', 'failed'] as const;

@DescribeObject('Filters of GET /v1/agent-endpoints/{agent_endpoint_id}/attempts.')
export class AttemptListQuery extends SearchQuery {
  @Optional() @IsIn(attemptOutcomes) outcome?: (typeof attemptOutcomes)[number];
}

@DescribeObject('An attempt among those of its endpoint.')
export class AttemptSummary extends DeliveryAttempt {
  @Required() @Text() delivery_id!: string;
  @Required() @IsIn(deliveredTypes) event_type!: DeliveredType;
}

export const AttemptPage = pageOf(AttemptSummary);
