import type { Queryable } from '@parley/runtime';

export interface DeliveryRow {
  readonly id: string;
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly status: string;
  readonly attempt_count: number;
  readonly next_attempt_at: Date | null;
  readonly created_at: Date;
}

export interface AttemptRow {
  readonly number: number;
  readonly started_at: Date;
  readonly status: number | null;
  readonly latency_ms: number;
  readonly error: string | null;
  readonly response_body: string;
}

const columns = 'id, endpoint_id, event_id, event_type, status, attempt_count, next_attempt_at, created_at';

export interface DeliveryPage {
  /** Empty: every status. */
  readonly status: string;
  /** The last id of the page before; empty for the first page. */
  readonly after: string;
  readonly limit: number;
}

/** Newest first. */
export async function listDeliveries(
  db: Queryable,
  organizationId: string,
  endpointId: string,
  page: DeliveryPage,
): Promise<DeliveryRow[]> {
  const { rows } = await db.query<DeliveryRow>({
    name: page.status === '' ? 'deliveries-list' : 'deliveries-list-status',
    text: `select ${columns} from deliveries
      where organization_id = $1 and endpoint_id = $2 and ($3 = '' or id < $3)
        and ${page.status === '' ? "$4 = ''" : 'status = $4'}
      order by id desc limit $5`,
    values: [organizationId, endpointId, page.after, page.status, page.limit],
  });
  return rows;
}

export async function findDelivery(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  const { rows } = await db.query<DeliveryRow>({
    name: 'delivery-find',
    text: `select ${columns} from deliveries where organization_id = $1 and id = $2`,
    values: [organizationId, id],
  });
  return rows[0];
}

/** In the order in which they were made; at most 100. */
export async function attemptsOf(db: Queryable, organizationId: string, deliveryId: string): Promise<AttemptRow[]> {
  const { rows } = await db.query<AttemptRow>({
    name: 'delivery-attempts',
    text: `select number, started_at, status, latency_ms, error, response_body from attempts
      where organization_id = $1 and delivery_id = $2 order by number, started_at limit 100`,
    values: [organizationId, deliveryId],
  });
  return rows;
}
