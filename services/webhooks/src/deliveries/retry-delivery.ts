import { testEventType } from '@parley/contract';
import { conflict, notFound } from '@parley/errors';
import { lockEndpoint, wakeQueue, type Dependencies } from '../endpoints';
import { findAttempts, findDelivery, retryNow } from './deliveries.sql';
import type { DeliveryWithAttempts } from './delivery.rules';
import { deliveryOwner } from './read-deliveries';

/**
 * POST /v1/deliveries/{delivery_id}/retry: makes a delivery due now, whatever its status, and restarts its retry schedule. @throws NotFoundError, also for a
 * delivery of another organization; ConflictError if its endpoint is deleted, parked or no longer subscribed to the event type
 */
export async function retryDelivery(
  { db, wake }: Dependencies,
  organizationId: string,
  deliveryId: string,
): Promise<DeliveryWithAttempts> {
  const owner = await deliveryOwner(db, organizationId, deliveryId);
  const retried = await db.transaction(async (tx) => {
    const delivery = await findDelivery(tx, owner, deliveryId);
    if (delivery === undefined) throw notFound('delivery');
    const endpoint = await lockEndpoint(tx, owner, delivery.endpoint_id);
    if (endpoint === undefined) throw conflict('the endpoint of the delivery is deleted');
    if (endpoint.status === 'parked') throw conflict('the endpoint is parked; recover it first');
    if (![testEventType, ...endpoint.events].some((type) => type === delivery.event_type)) {
      throw conflict(`the endpoint is no longer subscribed to ${delivery.event_type}`);
    }
    await retryNow(tx, owner, deliveryId);
    await wakeQueue(tx, owner, endpoint.id);
    return (await findDelivery(tx, owner, deliveryId)) ?? delivery;
  });
  wake([retried.endpoint_id]);
  return { delivery: retried, attempts: await findAttempts(db, owner, deliveryId) };
}
