import { Attempt, Delivery, Endpoint as EndpointMessage, EndpointResponse, Recovery } from '@parley/proto/webhooks';
import type { RecoveryRow } from '../usecases/recover-endpoint';
import { etagOf, type Endpoint } from '../domain/endpoint';
import type { DeliveryWithAttempts } from '../usecases/read-deliveries';

export function endpointMessage(endpoint: Endpoint): EndpointMessage {
  return EndpointMessage.fromPartial({
    agentEndpointId: endpoint.id,
    organizationId: endpoint.organizationId,
    projectId: endpoint.projectId,
    name: endpoint.name,
    webhookUrl: endpoint.webhookUrl,
    audioStreamUrl: endpoint.audioStreamUrl,
    events: [...endpoint.events],
    status: endpoint.status,
    maxDeliveriesPerSecond: endpoint.maxPerSecond ?? 0,
    createdAt: endpoint.createdAt,
    updatedAt: endpoint.updatedAt,
  });
}

export function endpointResponse(
  endpoint: Endpoint,
  extra: { secret?: string; replayed?: boolean } = {},
): EndpointResponse {
  return EndpointResponse.fromPartial({ endpoint: endpointMessage(endpoint), etag: etagOf(endpoint), ...extra });
}

export function deliveryMessage(
  delivery: DeliveryWithAttempts['delivery'],
  attempts: DeliveryWithAttempts['attempts'] = [],
): Delivery {
  return Delivery.fromPartial({
    deliveryId: delivery.id,
    agentEndpointId: delivery.endpoint_id,
    eventId: delivery.event_id,
    eventType: delivery.event_type,
    status: delivery.status,
    attemptCount: delivery.attempt_count,
    nextAttemptAt: delivery.next_attempt_at?.toISOString() ?? '',
    createdAt: delivery.created_at.toISOString(),
    attempts: attempts.map(attemptMessage),
  });
}

export function attemptMessage(attempt: DeliveryWithAttempts['attempts'][number]): Attempt {
  return Attempt.fromPartial({
    number: attempt.number,
    startedAt: attempt.started_at.toISOString(),
    status: attempt.status ?? 0,
    latencyMs: attempt.latency_ms,
    error: attempt.error ?? '',
    responseBody: attempt.response_body,
  });
}

export function recoveryMessage(recovery: RecoveryRow): Recovery {
  return Recovery.fromPartial({
    recoveryId: recovery.id,
    agentEndpointId: recovery.endpoint_id,
    since: recovery.since.toISOString(),
    status: recovery.status,
    examined: recovery.examined,
    recovered: recovery.recovered,
    createdAt: recovery.created_at.toISOString(),
    finishedAt: recovery.finished_at?.toISOString() ?? '',
  });
}
