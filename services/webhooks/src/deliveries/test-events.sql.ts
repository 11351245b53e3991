import type { Queryable } from '@parley/runtime';
import type { Endpoint } from '../endpoints';

/** A sample event: a regular envelope whose data marks it as a test. */
export interface TestEvent {
  readonly id: string;
  readonly type: string;
  /** The exact text that is signed and sent. */
  readonly payload: string;
  readonly createdAt: string;
}

/** Stores a test event, which is in no log, and its only delivery, which is due now. */
export async function insertTestEvent(
  tx: Queryable,
  organizationId: string,
  endpoint: Endpoint,
  event: TestEvent,
  deliveryId: string,
): Promise<void> {
  await tx.query({
    name: 'test-event-insert',
    text: `with event as (
        insert into events (organization_id, id, project_id, type, resource_id, resource_seq, payload, created_at, is_test)
        values ($1, $2, $3, $4, $5, 1, $6, $7, true))
      insert into deliveries (organization_id, id, endpoint_id, event_id, event_type, generation, status, next_attempt_at)
      values ($1, $8, $5, $2, $4, $9, 'pending', now())`,
    values: [
      organizationId,
      event.id,
      endpoint.projectId,
      event.type,
      endpoint.id,
      event.payload,
      event.createdAt,
      deliveryId,
      endpoint.generation,
    ],
  });
}
