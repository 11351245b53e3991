import type { Queryable } from '@parley/runtime';
import { alive, eachOf, isLockedQueue, isThatOne, lockedDeliveries, lockedQueues } from '../endpoints';
import type { HealthState } from './endpoint-health.rules';

/** The result of processing a delivery. */
export interface Result {
  readonly organizationId: string;
  readonly deliveryId: string;
  readonly endpointId: string;
  /** The id of the event; its timestamp determines the partition of the delivery. */
  readonly eventId: string;
  readonly eventType: string;
  /** The number of the attempt, from 1; 0 if nothing was sent. */
  readonly number: number;
  readonly status: 'pending' | 'delivered' | 'failed' | 'parked' | 'canceled';
  /** Milliseconds until the next attempt, from the database's current time; only with the status `pending`. */
  readonly delayMs?: number;
  readonly startedAt: Date;
  readonly httpStatus?: number;
  readonly latencyMs: number;
  readonly error?: string;
  readonly responseBody: string;
}

/**
 * Whether a result updates its delivery. A set `next_attempt_at` means that the status is pending; a comparison of the status itself would allow a plan that
 * reads all pending deliveries.
 */
const updatable = `deliveries.id = result.delivery_id and deliveries.event_id = result.event_id
          and coalesce(deliveries.organization_id, '') = result.organization_id and deliveries.next_attempt_at is not null
          and (deliveries.attempt_count < result.number or result.status = 'delivered' or result.number = 0)`;

/**
 * Writes many results at once: updates the deliveries and records all attempts. A delivery that is no longer pending (for example canceled) is not updated. If
 * a result of the same or a later attempt was already written, because another replica took the delivery after our lease expired, only a success or a result
 * without an attempt updates it.
 */
export async function writeResults(db: Queryable, results: readonly Result[]): Promise<void> {
  await db.query({
    name: 'results-write',
    text: `with result as materialized (
        select * from unnest($1::text[], $2::text[], $3::integer[], $4::text[], $5::double precision[], $6::timestamptz[],
          $7::integer[], $8::integer[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[])
          as result (organization_id, delivery_id, number, status, delay_ms, started_at, http_status, latency_ms, error,
            response_body, endpoint_id, event_type, event_id)
      ), locked as materialized (
        select result.* from result join deliveries on ${updatable} order by result.delivery_id for no key update of deliveries
      ), moved as (
        update deliveries set status = result.status, attempt_count = greatest(attempt_count, result.number),
          next_attempt_at = case when result.status = 'pending' then now() + result.delay_ms * interval '1 millisecond' end,
          finished_at = case when result.status not in ('pending', 'parked') then now() end
        from locked result where ${updatable}
      )
      insert into attempts (organization_id, delivery_id, number, started_at, status, latency_ms, error, response_body,
        endpoint_id, event_type)
      select organization_id, delivery_id, number, started_at, http_status, latency_ms, error, response_body,
        endpoint_id, event_type
      from result where number > 0
      on conflict do nothing`,
    values: [
      results.map((result) => result.organizationId),
      results.map((result) => result.deliveryId),
      results.map((result) => result.number),
      results.map((result) => result.status),
      results.map((result) => result.delayMs ?? null),
      results.map((result) => result.startedAt),
      results.map((result) => result.httpStatus ?? null),
      results.map((result) => result.latencyMs),
      results.map((result) => result.error ?? null),
      results.map((result) => result.responseBody),
      results.map((result) => result.endpointId),
      results.map((result) => result.eventType),
      results.map((result) => result.eventId),
    ],
  });
}

export interface QueueChange {
  readonly endpointId: string;
  readonly health: HealthState;
  readonly failures: number;
}

/**
 * Writes the health of queues that this replica has leased. The first failure after a success sets the time since which a queue has been failing. Returns the
 * queues that have been failing for `parkAfterDays`.
 */
export async function writeHealth(
  db: Queryable,
  replica: string,
  changes: readonly QueueChange[],
  parkAfterDays: number,
): Promise<string[]> {
  const { rows } = await db.query<{ endpoint_id: string }>({
    name: 'endpoint-queues-health',
    text: `with ${lockedQueues('$2::text[]', 'leased_by = $1')},
      change as materialized (
        select locked_queues.endpoint_id, health, failures
        from locked_queues join unnest($2::text[], $3::text[], $4::integer[]) as given (endpoint_id, health, failures)
          on given.endpoint_id = locked_queues.endpoint_id),
      written as (
        update endpoint_queues set health = change.health, failures = change.failures,
          failing_since = case when change.failures = 0 then null else coalesce(failing_since, now()) end
        from change where endpoint_queues.endpoint_id = change.endpoint_id
        returning endpoint_queues.endpoint_id, failing_since)
      select endpoint_id from written where failing_since <= now() - make_interval(days => $5::integer)`,
    values: [
      replica,
      changes.map((change) => change.endpointId),
      changes.map((change) => change.health),
      changes.map((change) => change.failures),
      parkAfterDays,
    ],
  });
  return rows.map(({ endpoint_id }) => endpoint_id);
}

/** An endpoint that was parked by this call. */
export interface ParkedEndpoint {
  readonly id: string;
  readonly organization_id: string;
}

/** An endpoint to park. */
export interface ParkingOrder {
  readonly endpointId: string;
  /** The version of the destination that returned 410. If the destination has changed since, the endpoint is not parked. Null: any version. */
  readonly destVersion: number | null;
}

/** Parks endpoints and locks them. Returns those that were not parked before. */
export async function parkEndpoints(tx: Queryable, orders: readonly ParkingOrder[]): Promise<ParkedEndpoint[]> {
  const { rows } = await tx.query<ParkedEndpoint>({
    name: 'endpoints-park',
    // Because the ids are passed as an array in addition to the join, every plan finds the rows by id.
    text: `update endpoints set status = 'parked', revision = revision + 1, updated_at = now()
      from unnest($1::text[], $2::integer[]) as wanted (endpoint_id, version)
      where id = any($1::text[]) and id = wanted.endpoint_id and (wanted.version is null or dest_version = wanted.version)
        and status = 'active' and ${alive} returning id, organization_id`,
    values: [orders.map(({ endpointId }) => endpointId), orders.map(({ destVersion }) => destVersion)],
  });
  return rows;
}

// Statuses are compared in a way that no index supports, so that every plan finds the rows by id.
const isPending = `coalesce(status, '') = 'pending'`;
const isParked = `coalesce(status, '') = 'parked'`;

/** Parks the deliveries that wait for a parked endpoint, so that a recovery can send them later. Those beyond 20 000 are parked when they are due. */
export async function parkWaiting(tx: Queryable, endpointIds: readonly string[]): Promise<void> {
  await tx.query({
    name: 'deliveries-park',
    text: `with waiting as materialized (
        select id, event_id from deliveries where endpoint_id = any($1::text[]) and status = 'pending' limit 20000),
      ${lockedDeliveries('waiting', isPending)}
      update deliveries set status = 'parked', next_attempt_at = null from ${eachOf('locked')} where ${isThatOne} and ${isPending}`,
    values: [endpointIds],
  });
}

/** Requeues deliveries that were parked because of a response from an earlier destination of the endpoint. */
export async function resumeStranded(tx: Queryable, deliveryIds: readonly string[]): Promise<void> {
  await tx.query({
    name: 'deliveries-stranded',
    text: `with stranded as materialized (
        select id, event_id, endpoint_id, status from deliveries where id = any($1::text[])),
      wanted as materialized (
        select stranded.id, event_id from stranded cross join lateral (
          select from endpoints where endpoints.id = stranded.endpoint_id and status = 'active'
            and ${alive} limit 1) endpoint
        where stranded.status = 'parked'),
      ${lockedDeliveries('wanted', isParked)},
      resumed as (
        update deliveries set status = 'pending', next_attempt_at = now()
        from ${eachOf('locked')} where ${isThatOne} and ${isParked} returning endpoint_id),
      ${lockedQueues('array(select distinct endpoint_id from resumed)')}
      update endpoint_queues set due_at = now() from locked_queues where ${isLockedQueue}`,
    values: [deliveryIds],
  });
}
