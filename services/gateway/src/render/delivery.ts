import {
  deliveryStatuses,
  eventTypes,
  type AttemptSummary,
  type DeliveryAttempt,
  type DeliveryRecord,
  type DeliverySummary,
} from '@parley/contract';
import type { Attempt, AttemptOfEndpoint, Delivery } from '@parley/proto/webhooks';
import { orNull } from './absent';
import { oneOf } from './one-of';
import { present } from './present';

/** As a list shows it: without its attempts. */
export const deliverySummary = (delivery: Delivery): DeliverySummary => ({
  delivery_id: delivery.deliveryId,
  agent_endpoint_id: delivery.agentEndpointId,
  event_id: delivery.eventId,
  event_type: oneOf(eventTypes, delivery.eventType),
  status: oneOf(deliveryStatuses, delivery.status),
  attempt_count: delivery.attemptCount,
  next_attempt_at: orNull(delivery.nextAttemptAt),
  created_at: delivery.createdAt,
});

export const deliveryRecord = (delivery: Delivery): DeliveryRecord => ({
  ...deliverySummary(delivery),
  attempts: delivery.attempts.map(attemptRecord),
});

const attemptRecord = (attempt: Attempt): DeliveryAttempt => ({
  number: attempt.number,
  started_at: attempt.startedAt,
  status: attempt.status === 0 ? null : attempt.status,
  latency_ms: attempt.latencyMs,
  error: orNull(attempt.error),
  response_body: attempt.responseBody,
});

export const attemptSummary = ({ attempt, deliveryId, eventType }: AttemptOfEndpoint): AttemptSummary => ({
  delivery_id: deliveryId,
  event_type: oneOf(eventTypes, eventType),
  ...attemptRecord(present(attempt, 'attempt')),
});
