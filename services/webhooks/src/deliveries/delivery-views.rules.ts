import {
  deliveryStatuses,
  deliveredTypes,
  type AttemptSummary,
  type DeliveryAttempt,
  type DeliveryRecord,
  type DeliverySummary,
} from '@parley/contract';
import type { Attempt, AttemptOfEndpoint, Delivery, DeliveryWithAttempts } from './delivery.rules';

/** A delivery as shown in lists, without its attempts. */
export const deliverySummary = (delivery: Delivery): DeliverySummary => ({
  delivery_id: delivery.id,
  agent_endpoint_id: delivery.endpoint_id,
  event_id: delivery.event_id,
  event_type: known(deliveredTypes, delivery.event_type),
  status: known(deliveryStatuses, delivery.status),
  attempt_count: delivery.attempt_count,
  next_attempt_at: delivery.next_attempt_at?.toISOString() ?? null,
  created_at: delivery.created_at.toISOString(),
});

export const deliveryRecord = ({ delivery, attempts }: DeliveryWithAttempts): DeliveryRecord => ({
  ...deliverySummary(delivery),
  attempts: attempts.map(attemptRecord),
});

const attemptRecord = (attempt: Attempt): DeliveryAttempt => ({
  number: attempt.number,
  started_at: attempt.started_at.toISOString(),
  status: attempt.status,
  latency_ms: attempt.latency_ms,
  error: attempt.error,
  response_body: attempt.response_body,
});

export const attemptSummary = (attempt: AttemptOfEndpoint): AttemptSummary => ({
  delivery_id: attempt.delivery_id,
  event_type: known(deliveredTypes, attempt.event_type),
  ...attemptRecord(attempt),
});

function known<T extends string>(values: readonly T[], value: string): T {
  const found = values.find((one) => one === value);
  if (found === undefined) throw new Error(`${value} is not one of ${values.join(', ')}`);
  return found;
}
