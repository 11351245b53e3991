import { testEventType } from '@parley/contract';
import { conflict } from '@parley/errors';
import { newId } from '@parley/runtime';
import { creating, type CreatingRequest } from '@parley/service';
import { endpointForDeletion, endpointForRead, wakeQueue, type Dependencies, type Endpoint } from '../endpoints';
import { findDelivery } from './deliveries.sql';
import type { Delivery } from './delivery.rules';
import { insertTestEvent, type TestEvent } from './test-events.sql';

export interface TestEndpoint {
  readonly organizationId: string;
  readonly endpointId: string;
  /** The request's idempotency key, in the scope of an organization. */
  readonly creating: (organizationId: string) => CreatingRequest;
}

/**
 * POST /v1/agent-endpoints/{agent_endpoint_id}/test: delivers a sample event only to this endpoint, signed and retried like any other event. The event is not
 * in the event log. @throws NotFoundError; ConflictError while the endpoint is parked, or for an Idempotency-Key of another request
 */
export async function testEndpoint(
  { db, clock, wake }: Dependencies,
  { organizationId, endpointId, creating: requestIn }: TestEndpoint,
): Promise<{ delivery: Delivery; replayed: boolean }> {
  const { organizationId: owner } = await endpointForRead(db, organizationId, endpointId);
  const outcome = await creating(db, requestIn(owner), async (tx) => {
    const endpoint = await endpointForDeletion(tx, owner, endpointId);
    if (endpoint.status === 'parked') throw conflict('the endpoint is parked; recover it first');
    const event = testEventOf(endpoint, newId('evt'), clock.now());
    const value = newId('dlv');
    await insertTestEvent(tx, owner, endpoint, event, value);
    await wakeQueue(tx, owner, endpointId);
    return { value, status: 201, body: JSON.stringify(value), recordId: endpointId };
  });
  const id = outcome.stored === undefined ? outcome.value : (JSON.parse(outcome.stored.body) as string);
  const delivery = await findDelivery(db, owner, id);
  if (delivery === undefined) throw conflict('the delivery of this Idempotency-Key no longer exists');
  wake([endpointId]);
  return { delivery, replayed: outcome.stored !== undefined };
}

/** A test event about the endpoint itself. Its type is used for nothing else, so that receivers cannot mistake it for a real event. */
function testEventOf(endpoint: Endpoint, id: string, now: Date): TestEvent {
  const createdAt = now.toISOString();
  const envelope = {
    id,
    type: testEventType,
    created_at: createdAt,
    organization_id: endpoint.organizationId,
    project_id: endpoint.projectId,
    agent_id: null,
    resource_id: endpoint.id,
    resource_seq: 1,
    data: { test: true },
  };
  return { id, type: testEventType, payload: JSON.stringify(envelope), createdAt };
}
