import { conflict } from '@parley/errors';
import { newId } from '@parley/runtime';
import { creating, type CreatingRequest } from '@parley/service';
import { findDelivery } from '../db/deliveries';
import { insertTestEvent } from '../db/test-events';
import { wakeLane } from '../db/waiting-deliveries';
import type { Delivery } from '../domain/delivery';
import { testEventOf } from '../domain/test-event';
import type { Dependencies } from './dependencies';
import { endpointForDeletion, endpointForRead } from './find-endpoint';

export interface TestEndpoint {
  readonly organizationId: string;
  readonly endpointId: string;
  /** How the request is remembered, in the space of an organization. */
  readonly creating: (organizationId: string) => CreatingRequest;
}

/**
 * POST /v1/agent-endpoints/{agent_endpoint_id}/test: delivers a sample event, signed and retried as any other, to this
 * endpoint alone; it stands in no event log. NotFoundError; ConflictError while the endpoint is parked, or for an
 * Idempotency-Key of another request.
 */
export async function testEndpoint(
  { db, clock, nudge }: Dependencies,
  { organizationId, endpointId, creating: requestIn }: TestEndpoint,
): Promise<{ delivery: Delivery; replayed: boolean }> {
  const { organizationId: owner } = await endpointForRead(db, organizationId, endpointId);
  const outcome = await creating(db, requestIn(owner), async (tx) => {
    const endpoint = await endpointForDeletion(tx, owner, endpointId);
    if (endpoint.status === 'parked') throw conflict('the endpoint is parked; recover it first');
    const event = testEventOf(endpoint, newId('evt'), clock.now());
    const value = newId('dlv');
    await insertTestEvent(tx, owner, endpoint, event, value);
    await wakeLane(tx, owner, endpointId);
    return { value, status: 201, body: JSON.stringify(value), recordId: endpointId };
  });
  const id = outcome.remembered === undefined ? outcome.value : (JSON.parse(outcome.remembered.body) as string);
  const delivery = await findDelivery(db, owner, id);
  if (delivery === undefined) throw conflict('the delivery that this key made is gone');
  nudge([endpointId]);
  return { delivery, replayed: outcome.remembered !== undefined };
}
