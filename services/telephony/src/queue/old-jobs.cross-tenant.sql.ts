import type { Queryable } from '@parley/runtime';

export interface DeletedJobs {
  readonly deleted: number;
  /** The last one that was looked at, from where to go on; undefined at the end. */
  readonly last: string | undefined;
}

/**
 * Deletes jobs that were done so many days ago, behind one, among the next `most` of that age by their ids, which begin with their time. A worker that
 * repeats itself by then finds no job.
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
