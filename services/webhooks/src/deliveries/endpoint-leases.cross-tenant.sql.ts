import type { Database, Queryable } from '@parley/runtime';
import { isLockedQueue, lockedQueues } from '../endpoints';
import type { HealthState } from './endpoint-health.rules';

export interface LeasedEndpoint {
  readonly endpoint_id: string;
  readonly organization_id: string;
  readonly health: HealthState;
  readonly failures: number;
  /** Maximum of attempts per second for the endpoint; null: unlimited. */
  readonly max_per_second: number | null;
}

const unleased = '(lease_until is null or lease_until <= now())';

const free = (health: HealthState, limit: string, from: string): string => `
  select endpoint_id from endpoint_queues
  where health = '${health}' and due_at >= ${from}::timestamptz and due_at <= now() and ${unleased}
  order by due_at limit ${limit} for update skip locked`;

/**
 * Leases queues that have due deliveries and no lease, those waiting longest first, up to a maximum per health state. The expiry of leases is determined only
 * by the database's clock.
 * @param floors where the scan of each health state starts; see `DueFloor`
 */
export async function leaseEndpoints(
  db: Queryable,
  replica: string,
  leaseSeconds: number,
  limits: Readonly<Record<HealthState, number>>,
  floors: Readonly<Record<HealthState, string>>,
): Promise<LeasedEndpoint[]> {
  const { rows } = await db.query<LeasedEndpoint>({
    name: 'endpoint-queues-lease',
    text: `with healthy as (${free('healthy', '$3', '$6')}), unproven as (${free('unproven', '$4', '$7')}),
        failing as (${free('failing', '$5', '$8')}),
      taken as materialized (
        select endpoint_id, endpoint_queue_era(endpoint_id) as era
        from (select * from healthy union all select * from unproven union all select * from failing) due)
      update endpoint_queues set leased_by = $1, lease_until = now() + make_interval(secs => $2::double precision)
      from taken where endpoint_queues.endpoint_id = taken.endpoint_id and endpoint_queues.era >= taken.era
      returning endpoint_queues.endpoint_id, endpoint_queues.organization_id, endpoint_queues.health, endpoint_queues.failures,
        (select max_per_second from endpoints where endpoints.id = endpoint_queues.endpoint_id)`,
    values: [
      replica,
      leaseSeconds,
      limits.healthy,
      limits.unproven,
      limits.failing,
      floors.healthy,
      floors.unproven,
      floors.failing,
    ],
  });
  return rows;
}

/** The first due queues of a health state, in milliseconds since 1970; null: there is none. */
export interface FirstQueues {
  readonly health: HealthState;
  /** When the first queue is due, whether leased or not. */
  readonly first_ms: number | null;
  /** When the first queue without a valid lease is due. */
  readonly first_free_ms: number | null;
  /** The database's time of the query. */
  readonly database_ms: number;
}

/** When the first queues of each health state are due; used for the floors of `leaseEndpoints`. */
export async function firstQueues(db: Queryable, from: string): Promise<FirstQueues[]> {
  const first = (condition: string): string => `extract(epoch from (
          select due_at from endpoint_queues
          where endpoint_queues.health = state.health and due_at >= $1::timestamptz and due_at <= now() and ${condition}
          order by due_at limit 1))::float8 * 1000`;
  const { rows } = await db.query<FirstQueues>({
    name: 'endpoint-queues-first',
    text: `select state.health, extract(epoch from now())::float8 * 1000 as database_ms,
        ${first('true')} as first_ms,
        ${first(unleased)} as first_free_ms
      from unnest(array['healthy', 'unproven', 'failing']) as state (health)`,
    values: [from],
  });
  return rows;
}

/**
 * Extends leases of a replica and returns the queues that it still has. Expired leases are not extended. Queues are found by their ids, because an index by
 * replica has an entry for each earlier lease while another transaction holds an old snapshot.
 *
 * A queue that has been leased for two minutes counts as due now: the floor of `firstQueues` is not above the first leased queue, and would otherwise be held
 * by one that stays leased for hours.
 */
export async function renewLeases(
  db: Queryable,
  replica: string,
  leaseSeconds: number,
  endpointIds: readonly string[],
): Promise<string[]> {
  const { rows } = await db.query<{ endpoint_id: string }>({
    name: 'endpoint-queues-renew',
    text: `with ${lockedQueues('$3::text[]', "coalesce(leased_by, '') = $1 and lease_until > now()")}
      update endpoint_queues set lease_until = now() + make_interval(secs => $2::double precision),
        due_at = case when due_at < now() - interval '2 minutes' then now() else due_at end
      from locked_queues where ${isLockedQueue} returning endpoint_queues.endpoint_id`,
    values: [replica, leaseSeconds, endpointIds],
  });
  return rows.map(({ endpoint_id }) => endpoint_id);
}

/**
 * Releases queues and stores when each has its next due delivery. Their rows are locked first, and the deliveries are read by a later statement: a delivery
 * inserted in between is either included or wakes the queue again. A queue that still has due deliveries is placed behind the waiting queues. Returns the
 * endpoints that still have due deliveries.
 * @param queues the queues with their floors; see `DueFloor`
 */
export async function releaseEndpoints(
  db: Database,
  replica: string,
  queues: ReadonlyMap<string, string>,
): Promise<string[]> {
  return db.transaction(async (tx) => {
    const { rows } = await tx.query<{ endpoint_id: string }>({
      name: 'endpoint-queues-leave-lock',
      text: `with ${lockedQueues('$1::text[]', "coalesce(leased_by, '') = $2")} select endpoint_id from locked_queues`,
      values: [[...queues.keys()], replica],
    });
    const left = await tx.query<{ endpoint_id: string; due: boolean | null }>({
      name: 'endpoint-queues-leave',
      text: `with own as materialized (
          select endpoint_id, from_at, endpoint_queue_era(endpoint_id) as era from unnest($1::text[], $2::timestamptz[]) as one (endpoint_id, from_at))
        update endpoint_queues set leased_by = null, lease_until = null, due_at = (
          select greatest(min(next_attempt_at), now()) from deliveries
          where deliveries.endpoint_id = endpoint_queues.endpoint_id and deliveries.status = 'pending' and next_attempt_at >= own.from_at
          having min(next_attempt_at) is not null)
        from own where endpoint_queues.endpoint_id = own.endpoint_id and endpoint_queues.era >= own.era returning endpoint_queues.endpoint_id, due_at <= now() as due`,
      values: [
        rows.map(({ endpoint_id }) => endpoint_id),
        rows.map(({ endpoint_id }) => queues.get(endpoint_id) ?? '-infinity'),
      ],
    });
    return left.rows.flatMap(({ endpoint_id, due }) => (due === true ? [endpoint_id] : []));
  });
}
