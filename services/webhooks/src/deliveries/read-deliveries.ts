import type { AttemptListQuery, DeliveryListQuery } from '@parley/contract';
import { notFound } from '@parley/errors';
import { isId, type Queryable } from '@parley/runtime';
import { pageDocument, pagePosition } from '@parley/service';
import { endpointForRead, type Dependencies } from '../endpoints';
import {
  findAttempts,
  findDelivery,
  listAttempts as readAttempts,
  listDeliveries as readDeliveries,
  type AttemptPage,
  type Search,
} from './deliveries.sql';
import { ownerOfDelivery } from './due-deliveries.cross-tenant.sql';
import { attemptSummary, deliverySummary } from './delivery-views.rules';
import type { DeliveryWithAttempts } from './delivery.rules';

const searchOf = ({ type, since, until }: DeliveryListQuery | AttemptListQuery): Search => ({
  type: type ?? '',
  since: since === undefined ? null : new Date(since),
  until: until === undefined ? null : new Date(until),
});

/** GET /v1/agent-endpoints/{agent_endpoint_id}/deliveries. @throws NotFoundError, BadRequestError for an invalid cursor */
export async function listDeliveries(
  { db }: Dependencies,
  organizationId: string,
  endpointId: string,
  query: DeliveryListQuery,
): Promise<string> {
  const endpoint = await endpointForRead(db, organizationId, endpointId);
  const { limit, after: [after] = [''] } = pagePosition(query);
  const ascending = query.sort === 'created_at';
  const page = { ...searchOf(query), status: query.status ?? '', ascending, after: after ?? '', limit: limit + 1 };
  const rows = await readDeliveries(db, endpoint.organizationId, endpoint.id, page);
  return pageDocument(
    rows,
    limit,
    (row) => JSON.stringify(deliverySummary(row)),
    ({ id }) => [id],
  );
}

/** GET /v1/agent-endpoints/{agent_endpoint_id}/attempts, newest first. @throws NotFoundError, BadRequestError for an invalid cursor */
export async function listAttempts(
  { db }: Dependencies,
  organizationId: string,
  endpointId: string,
  query: AttemptListQuery,
): Promise<string> {
  const endpoint = await endpointForRead(db, organizationId, endpointId);
  const { limit, after } = pagePosition(query, ['time', 'text', 'count']);
  const outcome: AttemptPage['outcome'] = query.outcome ?? '';
  const page = { ...searchOf(query), outcome, after: attemptPosition(after), limit: limit + 1 };
  const rows = await readAttempts(db, endpoint.organizationId, endpoint.id, page);
  return pageDocument(
    rows,
    limit,
    (row) => JSON.stringify(attemptSummary(row)),
    (row) => [row.started_at.toISOString(), row.delivery_id, row.number],
  );
}

function attemptPosition(after: readonly string[] | undefined) {
  if (after === undefined) return undefined;
  const [startedAt = '', deliveryId = '', number = ''] = after;
  return { startedAt: new Date(startedAt), deliveryId, number: Number(number) };
}

/** The organization that owns the delivery, for a caller that specified none. @throws NotFoundError */
export async function deliveryOwner(db: Queryable, organizationId: string, id: string): Promise<string> {
  const owner = !isId('dlv', id) ? undefined : organizationId === '' ? await ownerOfDelivery(db, id) : organizationId;
  if (owner === undefined) throw notFound('delivery');
  return owner;
}

/** GET /v1/deliveries/{delivery_id}, including its attempts. @throws NotFoundError, also for a delivery of another organization */
export async function getDelivery(
  { db }: Dependencies,
  organizationId: string,
  id: string,
): Promise<DeliveryWithAttempts> {
  const owner = await deliveryOwner(db, organizationId, id);
  const delivery = await findDelivery(db, owner, id);
  if (delivery === undefined) throw notFound('delivery');
  return { delivery, attempts: await findAttempts(db, owner, id) };
}
