import type { Queryable } from '@parley/runtime';
import { eachOf, isThatOne, lockedDeliveries } from './row-locks.cross-tenant.sql';

/** Maximum of deliveries changed in the transaction of a request; the rest is handled in the background. */
const atOnce = 20_000;

// In these statements, ids are passed as an array, and the organization and the status are compared in a way that no index supports. A plan cached while the
// table was empty would otherwise scan all deliveries of the organization.
const open = `coalesce(organization_id, '') = $1 and coalesce(status, '') in ('pending', 'parked')`;
const parked = `coalesce(organization_id, '') = $1 and coalesce(status, '') = 'parked'`;

/**
 * Cancels the deliveries that wait for an endpoint: those of the given types, or all. At most `atOnce` are canceled here; each of the others is canceled when
 * it is due.
 */
export async function cancelWaiting(
  tx: Queryable,
  organizationId: string,
  endpointId: string,
  types?: readonly string[],
): Promise<void> {
  await tx.query({
    name: 'deliveries-cancel',
    text: `with waiting as materialized (
        select id, event_id from deliveries where organization_id = $1 and endpoint_id = $2 and status in ('pending', 'parked')
          and ($3::text[] is null or event_type = any($3)) limit ${atOnce}),
      ${lockedDeliveries('waiting', open)}
      update deliveries set status = 'canceled', next_attempt_at = null, finished_at = now()
      from ${eachOf('locked')} where ${isThatOne} and ${open}`,
    values: [organizationId, endpointId, types ?? null],
  });
}

/** Requeues up to `atOnce` parked deliveries, due now. Returns false if there may be more. */
export async function resumeParked(tx: Queryable, organizationId: string, endpointId: string): Promise<boolean> {
  const { rows } = await tx.query<{ found: number }>({
    name: 'deliveries-resume',
    // Counts those found, because fewer may be updated if others change at the same time.
    text: `with waiting as materialized (
        select id, event_id from deliveries where organization_id = $1 and endpoint_id = $2 and status = 'parked' limit ${atOnce}),
      ${lockedDeliveries('waiting', parked)},
      resumed as (
        update deliveries set status = 'pending', next_attempt_at = now(), finished_at = null
        from ${eachOf('locked')} where ${isThatOne} and ${parked})
      select count(*)::integer as found from waiting`,
    values: [organizationId, endpointId],
  });
  return (rows[0]?.found ?? 0) < atOnce;
}

/** Resets the health of an endpoint's queue for a new destination, and makes the queue due for polling now. */
export async function restartQueue(tx: Queryable, organizationId: string, endpointId: string): Promise<void> {
  await tx.query({
    name: 'endpoint-queue-restart',
    text: `update endpoint_queues set health = 'unproven', failures = 0, failing_since = null, due_at = now()
      where organization_id = $1 and endpoint_id = $2`,
    values: [organizationId, endpointId],
  });
}

/** Makes an endpoint's queue due for polling now. */
export async function wakeQueue(tx: Queryable, organizationId: string, endpointId: string): Promise<void> {
  await tx.query({
    name: 'endpoint-queue-wake',
    text: `update endpoint_queues set due_at = now() where organization_id = $1 and endpoint_id = $2`,
    values: [organizationId, endpointId],
  });
}
