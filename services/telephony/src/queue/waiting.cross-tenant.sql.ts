import type { Queryable } from '@parley/runtime';
import { eraOf, inEra, nextEra, noteEra } from '../counter-row.sql';
import { queueLock, queueRow, queueTryLock } from './organization-queue.sql';
import { queueFloor } from './queue-floor.sql';

/**
 * Changes the numbers of waiting jobs of organizations. It locks their counter rows, so it must be the last statement of a transaction. The rows are locked
 * in the order of their ids, so that two transactions cannot deadlock.
 */
export async function countWaiting(tx: Queryable, changes: ReadonlyMap<string, number>): Promise<void> {
  if (changes.size === 0) return;
  const missing = await changeWaiting(tx, changes, eraOf);
  if (missing.size > 0) await changeWaiting(tx, missing, () => 0);
}

/** Returns the changes whose counter row was not found. */
async function changeWaiting(
  tx: Queryable,
  changes: ReadonlyMap<string, number>,
  eraFor: (organizationId: string) => number,
): Promise<ReadonlyMap<string, number>> {
  const organizationIds = [...changes.keys()];
  const { rows } = await tx.query<{ organization_id: string; era: number }>({
    name: 'jobs-count-waiting',
    // Both parts use the era that was read last: the second part cannot see the newest version of a row that the first part had to wait for.
    text: `with change as materialized (
             select * from unnest($1::text[], $2::integer[], $3::integer[]) as given (organization_id, by, least_era)),
           locked as materialized (
             select c.organization_id, change.by, change.least_era
             from change join organization_controls c on ${inEra('c', 'change.organization_id', 'change.least_era')}
             order by c.organization_id for update of c)
           update organization_controls c set ${nextEra('c')}, queued = c.queued + locked.by,
             -- Returning a job to the queue uses capacity, so the revision is incremented.
             revision = c.revision + case when locked.by > 0 then 1 else 0 end,
             drain_began = case when c.drain_began < now() - interval '30 seconds' then now() else c.drain_began end,
             drained_before = case when c.drain_began < now() - interval '60 seconds' then 0
                                   when c.drain_began < now() - interval '30 seconds' then c.drained
                                   else c.drained_before end,
             drained = case when c.drain_began < now() - interval '30 seconds' then 0 else c.drained end
               + greatest(-locked.by, 0)
           from locked where ${inEra('c', 'locked.organization_id', 'locked.least_era')} returning c.organization_id, c.era`,
    values: [organizationIds, [...changes.values()], organizationIds.map(eraFor)],
  });
  const found = new Map(rows.map((row) => [row.organization_id, row.era]));
  for (const organizationId of organizationIds) noteEra(organizationId, found.get(organizationId));
  return new Map([...changes].filter(([organizationId]) => !found.has(organizationId)));
}

/** Returns a leased job to its queue; it can be assigned again after `delaySeconds`. The caller must call `countWaiting` afterwards. */
export async function putBack(tx: Queryable, organizationId: string, jobId: string, delaySeconds = 0): Promise<void> {
  await tx.query({
    name: 'job-put-back',
    text: `with queue_lock as (select ${queueLock('$1::text')}), queue as (${queueRow('$1::text', 'queue_lock')})
           update jobs set state = 'queued', worker_id = null, lease_expires_at = null,
             available_at = clock_timestamp() + make_interval(secs => $3)
           from queue_lock where jobs.job_id = $2 and jobs.organization_id = $1::text and (jobs.state = 'leased') is true`,
    values: [organizationId, jobId, delaySeconds],
  });
}

/** Deletes empty queues and returns their number. organization-queue.sql.ts describes why no job can be left without a queue. */
export async function pruneQueues(tx: Queryable, limit: number): Promise<number> {
  // One index probe per queue, however many jobs wait in others.
  const idle = `(select 1 from jobs j where j.organization_id = l.organization_id and j.state = 'queued' limit 1) is null`;
  const { rows } = await tx.query<{ organization_id: string; locked: boolean }>({
    name: 'organization-queues-idle',
    text: `select candidate.organization_id, ${queueTryLock('candidate.organization_id')} as locked from (
             select l.organization_id from organization_queues l
             where l.last_served_at >= $2::timestamptz and l.last_served_at < now() - interval '10 seconds' and ${idle}
             order by l.last_served_at limit $1) candidate`,
    values: [limit, queueFloor.value],
  });
  const locked = rows.filter((row) => row.locked).map((row) => row.organization_id);
  if (locked.length === 0) return 0;
  const { rowCount } = await tx.query({
    name: 'organization-queues-prune',
    text: `delete from organization_queues where organization_id in (
             select l.organization_id from organization_queues l where l.organization_id = any($1::text[]) and ${idle}
             for update skip locked)`,
    values: [locked],
  });
  return rowCount;
}
