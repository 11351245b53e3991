import { attemptOutcomes, deliveryStatuses, isEventType } from '@parley/contract';
import { badRequest, notFound } from '@parley/errors';
import { decodeCursor, encodeCursor } from '@parley/runtime';
import {
  attemptsOf,
  findDelivery,
  listAttempts as readAttempts,
  listDeliveries as readDeliveries,
  type AttemptPage as EndpointAttempts,
  type AttemptRow,
  type EndpointAttemptRow,
  type Search,
  type DeliveryRow,
} from '../db/deliveries';
import type { Dependencies } from './dependencies';
import { deliveryOwner, endpointForRead } from './find-endpoint';
import { pageOf, positionOf, type PageOf, type PageRequest } from './page';

/** The filters that both searches share, as they are asked for: empty ones are none. */
export interface SearchRequest {
  readonly type: string;
  /** ISO 8601. */
  readonly since: string;
  readonly until: string;
}

function timeOf(name: string, text: string): Date | null {
  if (text === '') return null;
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw badRequest(`${name} must be an ISO 8601 time with a zone`);
  return time;
}

function searchOf({ type, since, until }: SearchRequest): Search {
  if (type !== '' && !isEventType(type)) throw badRequest('type is not an event type');
  return { type, since: timeOf('since', since), until: timeOf('until', until) };
}

export interface ListDeliveries extends PageRequest, SearchRequest {
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
  const page = { ...searchOf(request), status, after, limit: limit + 1 };
  return pageOf(await readDeliveries(db, endpoint.organizationId, endpoint.id, page), limit);
}

export interface ListAttempts extends PageRequest, SearchRequest {
  readonly organizationId: string;
  readonly endpointId: string;
  /** Empty: either. */
  readonly outcome: string;
}

/** GET /v1/agent-endpoints/{agent_endpoint_id}/attempts, newest first. NotFoundError, BadRequestError. */
export async function listAttempts({ db }: Dependencies, request: ListAttempts): Promise<PageOf<EndpointAttemptRow>> {
  const endpoint = await endpointForRead(db, request.organizationId, request.endpointId);
  const outcome: EndpointAttempts['outcome'] | undefined =
    request.outcome === '' ? '' : attemptOutcomes.find((known) => known === request.outcome);
  if (outcome === undefined) throw badRequest('outcome is not one of an attempt');
  const { limit } = positionOf({ limit: request.limit, cursor: '' });
  const after = request.cursor === '' ? undefined : attemptPosition(request.cursor);
  const page = { ...searchOf(request), outcome, after, limit: limit + 1 };
  const found = await readAttempts(db, endpoint.organizationId, endpoint.id, page);
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const nextCursor =
    found.length > limit && last !== undefined
      ? encodeCursor([last.started_at.toISOString(), last.delivery_id, last.number])
      : '';
  return { rows, nextCursor };
}

function attemptPosition(cursor: string) {
  const [startedAt = '', deliveryId = '', number = ''] = decodeCursor(cursor, 3, ['time', 'text', 'integer']);
  return { startedAt: new Date(startedAt), deliveryId, number: Number(number) };
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
