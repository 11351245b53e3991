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

const free = (health: HealthState, limit: string): string => `
  select endpoint_id from endpoint_queues
  where health = '${health}' and due_at <= now() and ${unleased}
  order by due_at limit ${limit} for update skip locked`;

/**
 * Leases queues that have due deliveries and no lease, those waiting longest first, up to a maximum per health state. The expiry of leases is determined only
 * by the database's clock.
 */
export async function leaseEndpoints(
  db: Queryable,
  replica: string,
  leaseSeconds: number,
  limits: Readonly<Record<HealthState, number>>,
): Promise<LeasedEndpoint[]> {
  const { rows } = await db.query<LeasedEndpoint>({
    name: 'endpoint-queues-lease',
    text: `with healthy as (${free('healthy', '$3')}), unproven as (${free('unproven', '$4')}), failing as (${free('failing', '$5')}),
      taken as materialized (select * from healthy union all select * from unproven union all select * from failing)
      update endpoint_queues set leased_by = $1, lease_until = now() + make_interval(secs => $2::double precision)
      from taken where endpoint_queues.endpoint_id = taken.endpoint_id
      returning endpoint_queues.endpoint_id, endpoint_queues.organization_id, endpoint_queues.health, endpoint_queues.failures,
        (select max_per_second from endpoints where endpoints.id = endpoint_queues.endpoint_id)`,
    values: [replica, leaseSeconds, limits.healthy, limits.unproven, limits.failing],
  });
  return rows;
}

/** Extends leases of a replica and returns the queues that it still has. Expired leases are not extended. */
export async function renewLeases(
  db: Queryable,
  replica: string,
  leaseSeconds: number,
  endpointIds: readonly string[],
): Promise<string[]> {
  const { rows } = await db.query<{ endpoint_id: string }>({
    name: 'endpoint-queues-renew',
    text: `with ${lockedQueues('$3::text[]', 'leased_by = $1 and lease_until > now()')}
      update endpoint_queues set lease_until = now() + make_interval(secs => $2::double precision)
      from locked_queues where ${isLockedQueue} returning endpoint_queues.endpoint_id`,
    values: [replica, leaseSeconds, endpointIds],
  });
  return rows.map(({ endpoint_id }) => endpoint_id);
}

/**
 * Releases queues and stores when each has its next due delivery. Their rows are locked first, and the deliveries are read by a later statement: a delivery
 * inserted in between is either included or wakes the queue again. A queue that still has due deliveries is placed behind the waiting queues. Returns the
 * endpoints that still have due deliveries.
 */
export async function releaseEndpoints(
  db: Database,
  replica: string,
  endpointIds: readonly string[],
): Promise<string[]> {
  return db.transaction(async (tx) => {
    const { rows } = await tx.query<{ endpoint_id: string }>({
      name: 'endpoint-queues-leave-lock',
      text: `with ${lockedQueues('$1::text[]', 'leased_by = $2')} select endpoint_id from locked_queues`,
      values: [endpointIds, replica],
    });
    const left = await tx.query<{ endpoint_id: string; due: boolean | null }>({
      name: 'endpoint-queues-leave',
      text: `update endpoint_queues set leased_by = null, lease_until = null, due_at = (
          select greatest(min(next_attempt_at), now()) from deliveries
          where deliveries.endpoint_id = endpoint_queues.endpoint_id and deliveries.status = 'pending'
          having min(next_attempt_at) is not null)
        where endpoint_id = any($1::text[]) returning endpoint_id, due_at <= now() as due`,
      values: [rows.map(({ endpoint_id }) => endpoint_id)],
    });
    return left.rows.flatMap(({ endpoint_id, due }) => (due === true ? [endpoint_id] : []));
  });
}
