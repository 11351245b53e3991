import { Attempt, Delivery, Endpoint as EndpointMessage, EndpointResponse } from '@parley/proto/webhooks';
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
    attempts: attempts.map((attempt) =>
      Attempt.fromPartial({
        number: attempt.number,
        startedAt: attempt.started_at.toISOString(),
        status: attempt.status ?? 0,
        latencyMs: attempt.latency_ms,
        error: attempt.error ?? '',
        responseBody: attempt.response_body,
      }),
    ),
  });
}
