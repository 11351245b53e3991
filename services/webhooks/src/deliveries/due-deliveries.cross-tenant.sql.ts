import { testEventType } from '@parley/contract';
import type { Queryable } from '@parley/runtime';

/** A due delivery with everything that an attempt needs, as of now. */
export interface DueDelivery {
  readonly id: string;
  readonly organization_id: string;
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly attempt_count: number;
  /** Attempts of earlier series, which are not counted for the current retry schedule. */
  readonly earlier_attempts: number;
  readonly payload: string;
  readonly traceparent: string | null;
  /** Milliseconds since the creation of the delivery. */
  readonly age_ms: number;
  readonly webhook_url: string;
  /** How often the endpoint's destination was changed. */
  readonly dest_version: number;
  /** Maximum of attempts per second for the endpoint; null: unlimited. */
  readonly max_per_second: number | null;
  /** Scopes of the key that last wrote the endpoint. They determine whether the receiver gets the full payload. */
  readonly payload_scopes: readonly string[];
  /** Whether to send the delivery, or to end it because its endpoint was deleted, unsubscribed from the event or parked. */
  readonly disposition: 'send' | 'canceled' | 'parked';
  /** The active signing secrets, encrypted, newest first; in hex, separated by spaces. */
  readonly secrets: string;
}

/**
 * The oldest due deliveries of leased queues, up to a maximum per queue. The current state of the endpoint is read with them: queued deliveries are sent to its
 * current destination, and those that it no longer wants are not sent.
 * @param busy deliveries in progress or whose result is not written yet
 */
export async function dueDeliveries(
  db: Queryable,
  queues: ReadonlyMap<string, number>,
  busy: readonly string[],
): Promise<DueDelivery[]> {
  const { rows } = await db.query<DueDelivery>({
    // Each step has a limit, so the plan remains a loop of index scans: a plan cached while the tables were empty is still good when they are full.
    name: 'deliveries-due',
    text: `select due.id, due.organization_id, due.endpoint_id, due.event_id, due.event_type, due.attempt_count,
        due.earlier_attempts, event.payload, event.traceparent, queue.webhook_url, queue.dest_version,
        queue.max_per_second, queue.payload_scopes,
        (extract(epoch from clock_timestamp() - due.created_at) * 1000)::double precision as age_ms,
        case when queue.deleted_at is not null or due.event_type <> all(queue.events || '${testEventType}'::text) then 'canceled'
          when queue.status = 'parked' then 'parked' else 'send' end as disposition,
        queue.secrets
      from (
        select wanted.slots, endpoint.*,
          coalesce((select string_agg(encode(sealed, 'hex'), ' ' order by secret.id desc) from endpoint_secrets secret
            where secret.endpoint_id = endpoint.id and (secret.expires_at is null or secret.expires_at > now())), '') as secrets
        from unnest($1::text[], $2::integer[]) as wanted (endpoint_id, slots)
        cross join lateral (select * from endpoints where endpoints.id = wanted.endpoint_id limit 1) endpoint
        offset 0) queue
      cross join lateral (
        select * from deliveries delivery
        where delivery.endpoint_id = queue.id and delivery.status = 'pending'
          and delivery.next_attempt_at <= now() and delivery.id <> all($3::text[])
        order by delivery.next_attempt_at limit queue.slots) due
      cross join lateral (
        select payload, traceparent from events where events.id = due.event_id limit 1) event`,
    values: [[...queues.keys()], [...queues.values()], busy],
  });
  return rows;
}

/**
 * The organization that owns a delivery, for an operator that specified none. The statement is not restricted to one organization and returns only the owner.
 */
export async function ownerOfDelivery(db: Queryable, id: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'delivery-owner',
    text: 'select organization_id from deliveries where id = $1',
    values: [id],
  });
  return rows[0]?.organization_id;
}
