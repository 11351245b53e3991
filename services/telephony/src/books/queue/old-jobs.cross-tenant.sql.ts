import type { Queryable } from '@parley/runtime';

export interface DeletedJobs {
  readonly deleted: number;
  /** The last job examined, from which to continue; undefined at the end. */
  readonly last: string | undefined;
}

/**
 * Deletes jobs that have been done for this many days. Examines the next `most` jobs of that age after the id `after`; ids begin with their creation time. A
 * worker that repeats a request for a deleted job gets 404.
 */
export async function deleteOldJobs(db: Queryable, days: number, after: string, most: number): Promise<DeletedJobs> {
  const { rows } = await db.query<{ last: string | null; deleted: number }>({
    name: 'jobs-delete-old',
    text: `with old as materialized (
             select job_id, state = 'done' and coalesce(finished_at, '-infinity') < now() - make_interval(days => $1) as over
             from jobs where job_id > $2 and job_id < ring_id_at('job', now() - make_interval(days => $1))
             order by job_id limit $3),
           gone as (
             delete from jobs using old where jobs.job_id = old.job_id and old.over and jobs.state = 'done' returning 1)
           select (select max(job_id) from old) as last, (select count(*)::integer from gone) as deleted`,
    values: [days, after, most],
  });
  return { deleted: rows[0]?.deleted ?? 0, last: rows[0]?.last ?? undefined };
}

/** Per route: whether the record that a request created still exists. Its stored response is kept for as long. */
export const recordExists: Readonly<Record<string, string>> = {
  call: 'exists (select 1 from calls where call_id = idempotency.record_id)',
  cmd: 'exists (select 1 from call_commands where command_id = idempotency.record_id)',
  num: 'exists (select 1 from numbers where number_id = idempotency.record_id)',
  cmp: 'exists (select 1 from campaigns where campaign_id = idempotency.record_id)',
  imp: 'exists (select 1 from campaign_imports where import_id = idempotency.record_id)',
  top: 'exists (select 1 from wallet_top_ups where top_up_id = idempotency.record_id)',
  era: 'exists (select 1 from erasures where erasure_id = idempotency.record_id)',
  msg: 'exists (select 1 from messages where message_id = idempotency.record_id)',
};
