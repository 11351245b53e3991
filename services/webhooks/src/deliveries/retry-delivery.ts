import { testEventType } from '@parley/contract';
import { conflict, notFound } from '@parley/errors';
import { lockEndpoint, wakeQueue, type Dependencies } from '../endpoints';
import { findAttempts, findDelivery, retryNow } from './deliveries.sql';
import type { DeliveryWithAttempts } from './delivery.rules';
import { deliveryOwner } from './read-deliveries';

/**
 * POST /v1/deliveries/{delivery_id}/retry: due now, whatever became of it, with a schedule that begins again. NotFoundError,
 * for a foreign one too; ConflictError when its endpoint is deleted, parked or no longer subscribed to the type.
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
