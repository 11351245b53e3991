import { deliveryStatuses } from '@parley/contract';
import { badRequest, notFound } from '@parley/errors';
import {
  attemptsOf,
  findDelivery,
  listDeliveries as readDeliveries,
  type AttemptRow,
  type DeliveryRow,
} from '../db/deliveries';
import type { Dependencies } from './dependencies';
import { deliveryOwner, endpointForRead } from './find-endpoint';
import { pageOf, positionOf, type PageOf, type PageRequest } from './page';

export interface ListDeliveries extends PageRequest {
  readonly organizationId: string;
  readonly endpointId: string;
  /** Empty: every status. */
  readonly status: string;
}

/** GET /v1/agent-endpoints/{agent_endpoint_id}/deliveries, newest first. NotFoundError, BadRequestError. */
export async function listDeliveries({ db }: Dependencies, request: ListDeliveries): Promise<PageOf<DeliveryRow>> {
  const endpoint = await endpointForRead(db, request.organizationId, request.endpointId);
  const { status } = request;
  if (status !== '' && !deliveryStatuses.some((known) => known === status))
    throw badRequest('status is not one of a delivery');
  const { limit, after } = positionOf(request);
  const rows = await readDeliveries(db, endpoint.organizationId, endpoint.id, { status, after, limit: limit + 1 });
  return pageOf(rows, limit);
}

export interface DeliveryWithAttempts {
  readonly delivery: DeliveryRow;
  readonly attempts: readonly AttemptRow[];
}

/** GET /v1/deliveries/{delivery_id} with its attempts. NotFoundError, also for a foreign one. */
export async function getDelivery(
  { db }: Dependencies,
  organizationId: string,
  id: string,
): Promise<DeliveryWithAttempts> {
  const owner = await deliveryOwner(db, organizationId, id);
  const delivery = await findDelivery(db, owner, id);
  if (delivery === undefined) throw notFound('delivery');
  return { delivery, attempts: await attemptsOf(db, owner, id) };
}
