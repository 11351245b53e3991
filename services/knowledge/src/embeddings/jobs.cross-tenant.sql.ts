import type { Queryable } from '@parley/runtime';

/** A knowledge base for which this replica may make vectors until its claim expires. */
export interface EmbeddingJob {
  readonly organization_id: string;
  readonly knowledge_base_id: string;
  readonly claim: string;
  /** As it was when the job was claimed. */
  readonly wanted: number;
  /** How many times it was claimed since the last success, including this time. */
  readonly attempts: number;
}

/** Claims the knowledge base that is due longest. An expired claim is taken over. */
export async function claimJob(db: Queryable, claim: string, seconds: number): Promise<EmbeddingJob | undefined> {
  const { rows } = await db.query<EmbeddingJob>({
    name: 'embedding-job-claim',
    text: `with due as (
             select knowledge_base_id from embedding_jobs where due_at < now() order by due_at limit 1 for update skip locked
           )
           update embedding_jobs set claim = $1, due_at = now() + make_interval(secs => $2::integer), attempts = attempts + 1
           from due where embedding_jobs.knowledge_base_id = due.knowledge_base_id
           returning organization_id, embedding_jobs.knowledge_base_id, claim, wanted, attempts`,
    values: [claim, seconds],
  });
  return rows[0];
}
