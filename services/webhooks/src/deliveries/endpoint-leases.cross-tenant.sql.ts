import type { Database, Queryable } from '@parley/runtime';
import type { HealthState } from './endpoint-health.rules';

export interface LeasedEndpoint {
  readonly endpoint_id: string;
  readonly organization_id: string;
  readonly standing: HealthState;
  readonly failures: number;
  /** Attempts that the endpoint takes in a second; null: no limit. */
  readonly max_per_second: number | null;
}

const free = (standing: HealthState, limit: string): string => `
  select endpoint_id from lanes
  where standing = '${standing}' and due_at <= now() and (lease_until is null or lease_until <= now())
  order by due_at limit ${limit} for update skip locked`;

/**
 * Leases lanes that have something due and are no one's, those that wait longest first, up to a number for each standing.
 * The lease is judged by the database's clock alone.
 */
export async function leaseEndpoints(
  db: Queryable,
  replica: string,
  leaseSeconds: number,
  limits: Readonly<Record<HealthState, number>>,
): Promise<LeasedEndpoint[]> {
  const { rows } = await db.query<LeasedEndpoint>({
    name: 'lanes-lease',
    text: `with healthy as (${free('healthy', '$3')}), unproven as (${free('unproven', '$4')}), failing as (${free('failing', '$5')}),
      taken as (select * from healthy union all select * from unproven union all select * from failing)
      update lanes set leased_by = $1, lease_until = now() + make_interval(secs => $2::double precision)
      from taken where lanes.endpoint_id = taken.endpoint_id
      returning lanes.endpoint_id, lanes.organization_id, lanes.standing, lanes.failures,
        (select max_per_second from endpoints where endpoints.id = lanes.endpoint_id)`,
    values: [replica, leaseSeconds, limits.healthy, limits.unproven, limits.failing],
  });
  return rows;
}

/** Extends the leases of a replica; answers the lanes that are still its own. One that ran out is not taken back. */
export async function renewLeases(db: Queryable, replica: string, leaseSeconds: number): Promise<string[]> {
  const { rows } = await db.query<{ endpoint_id: string }>({
    name: 'lanes-renew',
    // Several lanes are always locked in the order of their endpoints: statements over the same ones never wait for each other in a ring.
    text: `with own as materialized (
        select endpoint_id from lanes where leased_by = $1 and lease_until > now() order by endpoint_id for no key update)
      update lanes set lease_until = now() + make_interval(secs => $2::double precision)
      from own where lanes.endpoint_id = own.endpoint_id returning lanes.endpoint_id`,
    values: [replica, leaseSeconds],
  });
  return rows.map(({ endpoint_id }) => endpoint_id);
}

/**
 * Gives lanes back, with the time at which they next have something due. The rows are locked first and the deliveries
 * read by a later statement, so a delivery that was being made meanwhile is either seen or wakes the lane again.
 * A lane that still has due deliveries goes to the end of the queue. Answers whether any has.
 * @param lanes with the floor of each: see `DueFloor`
 */
export async function releaseEndpoints(
  db: Database,
  replica: string,
  lanes: ReadonlyMap<string, string>,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const { rows } = await tx.query<{ endpoint_id: string }>({
      name: 'lanes-leave-lock',
      text: `select endpoint_id from lanes where endpoint_id = any($1::text[]) and leased_by = $2
        order by endpoint_id for no key update`,
      values: [[...lanes.keys()], replica],
    });
    const left = await tx.query<{ due: boolean | null }>({
      name: 'lanes-leave',
      text: `update lanes set leased_by = null, lease_until = null, due_at = (
          select greatest(min(next_attempt_at), now()) from deliveries
          where deliveries.endpoint_id = lanes.endpoint_id and deliveries.status = 'pending' and next_attempt_at >= own.from_at
          having min(next_attempt_at) is not null)
        from unnest($1::text[], $2::timestamptz[]) as own (endpoint_id, from_at)
        where lanes.endpoint_id = own.endpoint_id returning due_at <= now() as due`,
      values: [
        rows.map(({ endpoint_id }) => endpoint_id),
        rows.map(({ endpoint_id }) => lanes.get(endpoint_id) ?? '-infinity'),
      ],
    });
    return left.rows.some(({ due }) => due === true);
  });
}
