import { deliveredTypes, deliveryStatuses } from '@parley/contract';
import { leastIdAt, type Queryable } from '@parley/runtime';
import type { Attempt, AttemptOfEndpoint, Delivery } from './delivery.rules';

const columns = 'id, endpoint_id, event_id, event_type, status, attempt_count, next_attempt_at, created_at';

/** Criteria that all searches share. */
export interface Search {
  /** Empty for all event types. */
  readonly type: string;
  /** Created at or after this time. */
  readonly since: Date | null;
  /** Created before this time. */
  readonly until: Date | null;
}

export interface DeliveryPage extends Search {
  /** Empty for all statuses. */
  readonly status: string;
  /** Oldest first instead of newest first. */
  readonly ascending: boolean;
  /** The last id of the previous page; empty for the first page. */
  readonly after: string;
  readonly limit: number;
}

/** Ids contain the clock of the replica that created them, timestamps are the database's: bounds on ids are wider by this tolerance. */
const skewMs = 60_000;
/** Sorts after every id that begins with dlv_, in any collation. */
const afterEveryId = 'dlw';

/** Every combination of filters uses an index, in either order. */
export async function listDeliveries(
  db: Queryable,
  organizationId: string,
  endpointId: string,
  { status, type, since, until, ascending, after, limit }: DeliveryPage,
): Promise<Delivery[]> {
  const lowest = since === null ? '' : leastIdAt('dlv', new Date(since.getTime() - skewMs));
  const highest = until === null ? afterEveryId : leastIdAt('dlv', new Date(until.getTime() + skewMs));
  const within = `id ${ascending ? '>' : '>='} $3 and id < $4 and ($5::timestamptz is null or created_at >= $5) and ($6::timestamptz is null or created_at < $6)`;
  const order = ascending ? '' : ' desc';
  const [from, to] = ascending
    ? [after > lowest ? after : lowest, highest]
    : [lowest, after === '' || after > highest ? highest : after];
  const bounds = [from, to, since, until, limit];
  if (status === '' && type === '') {
    const { rows } = await db.query<Delivery>({
      text: `select ${columns} from deliveries where organization_id = $1 and endpoint_id = $2 and ${within} order by id${order} limit $7`,
      values: [organizationId, endpointId, ...bounds],
    });
    return rows;
  }
  // One index scan per status and type, each for its first rows; the results are merged.
  const { rows } = await db.query<Delivery>({
    text: `select page.* from unnest($8::text[]) as wanted_status (status) cross join unnest($9::text[]) as wanted_type (type)
      cross join lateral (
        select ${columns} from deliveries
        where organization_id = $1 and endpoint_id = $2 and ${within} and deliveries.status = wanted_status.status and event_type = wanted_type.type
        order by id${order} limit $7) page
      order by page.id${order} limit $7`,
    values: [
      organizationId,
      endpointId,
      ...bounds,
      status === '' ? deliveryStatuses : [status],
      type === '' ? deliveredTypes : [type],
    ],
  });
  return rows;
}

export async function findDelivery(db: Queryable, organizationId: string, id: string): Promise<Delivery | undefined> {
  const { rows } = await db.query<Delivery>({
    name: 'delivery-find',
    // The CTE makes the query look up by id first: a plan cached while the table was empty would otherwise read all deliveries of the organization.
    text: `with delivery as materialized (select * from deliveries where id = $2)
      select ${columns} from delivery where organization_id = $1`,
    values: [organizationId, id],
  });
  return rows[0];
}

/** In the order of creation; at most 100. */
export async function findAttempts(db: Queryable, organizationId: string, deliveryId: string): Promise<Attempt[]> {
  const { rows } = await db.query<Attempt>({
    name: 'delivery-attempts',
    // The CTE makes the query look up by delivery first: a plan cached while the table was empty would otherwise read all attempts of the organization.
    text: `with attempt as materialized (select * from attempts where delivery_id = $2)
      select number, started_at, status, latency_ms, error, response_body from attempt
      where organization_id = $1 order by number, started_at limit 100`,
    values: [organizationId, deliveryId],
  });
  return rows;
}

/** Makes a delivery due now, whatever its status, and restarts its retry schedule. */
export async function retryNow(tx: Queryable, organizationId: string, deliveryId: string): Promise<void> {
  await tx.query({
    name: 'delivery-retry',
    text: `update deliveries set status = 'pending', next_attempt_at = now(), finished_at = null,
        earlier_attempts = attempt_count
      where id = any(array(
          with delivery as materialized (select id, organization_id from deliveries where id = $2)
          select id from delivery where organization_id = $1))
        and coalesce(organization_id, '') = $1`,
    values: [organizationId, deliveryId],
  });
}

/** The filters and the position of a page of an endpoint's attempts. */
export interface AttemptPage extends Search {
  /** Empty for both outcomes. */
  readonly outcome: '' | 'succeeded' | 'failed';
  /** The last attempt of the previous page. */
  readonly after?: { readonly startedAt: Date; readonly deliveryId: string; readonly number: number };
  readonly limit: number;
}

/** Newest first. */
export async function listAttempts(
  db: Queryable,
  organizationId: string,
  endpointId: string,
  { outcome, type, since, until, after, limit }: AttemptPage,
): Promise<AttemptOfEndpoint[]> {
  const conditions: string[] = [];
  const values: unknown[] = [organizationId, endpointId];
  const where = (text: string, ...given: readonly unknown[]): void => {
    let place = values.length;
    conditions.push(text.replaceAll('?', () => `$${(place += 1)}`));
    values.push(...given);
  };
  if (type !== '') where('event_type = ?', type);
  if (since !== null) where('started_at >= ?', since);
  if (until !== null) where('started_at < ?', until);
  if (outcome !== '') conditions.push(outcome === 'failed' ? 'error is not null' : 'error is null');
  if (after !== undefined) {
    where('(started_at, delivery_id, number) < (?, ?, ?)', after.startedAt, after.deliveryId, after.number);
  }
  values.push(limit);
  const filters = conditions.map((condition) => ` and ${condition}`).join('');
  const { rows } = await db.query<AttemptOfEndpoint>({
    text: `select number, started_at, status, latency_ms, error, response_body, delivery_id, event_type from attempts
      where organization_id = $1 and endpoint_id = $2${filters}
      order by started_at desc, delivery_id desc, number desc limit $${values.length}`,
    values,
  });
  return rows;
}
