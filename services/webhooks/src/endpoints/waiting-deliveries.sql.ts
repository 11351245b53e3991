import type { Queryable } from '@parley/runtime';

/** How many deliveries one transaction of a request changes; the rest is dealt with as its turn comes. */
const atOnce = 20_000;

// Below, ids are given as an array, and the organization is compared where no index can be taken by it: a plan made while the
// table was empty would go through all deliveries of the organization.

/** Cancels what waits for an endpoint: of the given types, or all of it. The queue deals with what exceeds one step. */
export async function cancelWaiting(
  tx: Queryable,
  organizationId: string,
  endpointId: string,
  types?: readonly string[],
): Promise<void> {
  await tx.query({
    name: 'deliveries-cancel',
    text: `update deliveries set status = 'canceled', next_attempt_at = null, finished_at = now()
      where id = any(array(
        select id from deliveries where organization_id = $1 and endpoint_id = $2 and status in ('pending', 'parked')
          and ($3::text[] is null or event_type = any($3)) limit ${atOnce}))
        and coalesce(organization_id, '') = $1`,
    values: [organizationId, endpointId, types ?? null],
  });
}

/** Puts what was parked back into the queue, due now. False: there was more than one step deals with. */
export async function resumeParked(tx: Queryable, organizationId: string, endpointId: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'deliveries-resume',
    text: `update deliveries set status = 'pending', next_attempt_at = now(), finished_at = null
      where id = any(array(
        select id from deliveries where organization_id = $1 and endpoint_id = $2 and status = 'parked' limit ${atOnce}))
        and coalesce(organization_id, '') = $1`,
    values: [organizationId, endpointId],
  });
  return rowCount < atOnce;
}

/** A new destination has to prove itself, and its past is forgotten; the queue is looked at now. */
export async function restartQueue(tx: Queryable, organizationId: string, endpointId: string): Promise<void> {
  await tx.query({
    name: 'endpoint-queue-restart',
    text: `update endpoint_queues set health = 'unproven', failures = 0, failing_since = null, due_at = now()
      where organization_id = $1 and endpoint_id = $2`,
    values: [organizationId, endpointId],
  });
}

/** Has the queue looked at now. */
export async function wakeQueue(tx: Queryable, organizationId: string, endpointId: string): Promise<void> {
  await tx.query({
    name: 'endpoint-queue-wake',
    text: 'update endpoint_queues set due_at = now() where organization_id = $1 and endpoint_id = $2',
    values: [organizationId, endpointId],
  });
}
