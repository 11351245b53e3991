import type { Queryable } from '@parley/runtime';
import { queueLock, queueRow, queueTryLock } from './organization-queue.sql';

/**
 * Changes the numbers of waiting jobs of organizations. It locks their counter rows, so it must be the last statement of a transaction. The rows are updated
 * in the order of their ids, so that two transactions cannot deadlock.
 */
export async function countWaiting(tx: Queryable, changes: ReadonlyMap<string, number>): Promise<void> {
  for (const organizationId of [...changes.keys()].sort()) {
    await tx.query({
      name: 'jobs-count-waiting',
      text: `update organization_controls c set queued = c.queued + $2::integer,
                 -- Returning a job to the queue uses capacity, so the revision is incremented.
                 revision = c.revision + case when $2::integer > 0 then 1 else 0 end,
                 drain_began = case when c.drain_began < now() - interval '30 seconds' then now() else c.drain_began end,
                 drained_before = case when c.drain_began < now() - interval '60 seconds' then 0
                                       when c.drain_began < now() - interval '30 seconds' then c.drained
                                       else c.drained_before end,
                 drained = case when c.drain_began < now() - interval '30 seconds' then 0 else c.drained end
                   + greatest(-$2::integer, 0)
               where c.organization_id = $1`,
      values: [organizationId, changes.get(organizationId)],
    });
  }
}

/** Returns a leased job to its queue; it can be assigned again after `delaySeconds`. The caller must call `countWaiting` afterwards. */
export async function putBack(tx: Queryable, organizationId: string, jobId: string, delaySeconds = 0): Promise<void> {
  await tx.query({
    name: 'job-put-back',
    text: `with queue_lock as (select ${queueLock('$1::text')}), queue as (${queueRow('$1::text', 'queue_lock')})
           update jobs set state = 'queued', worker_id = null, lease_expires_at = null,
             available_at = clock_timestamp() + make_interval(secs => $3)
           from queue_lock where jobs.job_id = $2 and jobs.organization_id = $1::text and jobs.state = 'leased'`,
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
             where l.last_served_at < now() - interval '10 seconds' and ${idle}
             order by l.last_served_at limit $1) candidate`,
    values: [limit],
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
