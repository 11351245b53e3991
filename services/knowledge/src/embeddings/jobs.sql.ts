import type { Queryable } from '@parley/runtime';
import type { EmbeddingJob } from './jobs.cross-tenant.sql';

/** Has vectors of a knowledge base made or deleted in the background. Must come after all changes of documents in its transaction. */
export async function queueEmbeddings(tx: Queryable, organizationId: string, knowledgeBaseId: string): Promise<void> {
  await tx.query({
    name: 'embedding-job-queue',
    text: `insert into embedding_jobs (organization_id, knowledge_base_id) values ($1, $2)
           on conflict (knowledge_base_id) do update set wanted = embedding_jobs.wanted + 1
           where embedding_jobs.organization_id = excluded.organization_id`,
    values: [organizationId, knowledgeBaseId],
  });
}

/** The same at once, even after failures, because the settings were changed. A replica that has the job loses its claim. */
export async function restartEmbeddings(tx: Queryable, organizationId: string, knowledgeBaseId: string): Promise<void> {
  await tx.query({
    name: 'embedding-job-restart',
    text: `insert into embedding_jobs (organization_id, knowledge_base_id) values ($1, $2)
           on conflict (knowledge_base_id) do update set wanted = embedding_jobs.wanted + 1, attempts = 0, claim = '',
             due_at = '-infinity', failure_code = null, failure_detail = null
           where embedding_jobs.organization_id = excluded.organization_id`,
    values: [organizationId, knowledgeBaseId],
  });
}

export async function dropEmbeddingJob(tx: Queryable, organizationId: string, knowledgeBaseId: string): Promise<void> {
  await tx.query({
    name: 'embedding-job-drop',
    text: 'delete from embedding_jobs where organization_id = $1 and knowledge_base_id = $2',
    values: [organizationId, knowledgeBaseId],
  });
}

type Claimed = Pick<EmbeddingJob, 'knowledge_base_id' | 'claim'>;

/** Extends the claim after a success. @returns false if it was lost; then the transaction has to be rolled back */
export async function extendJob(
  tx: Queryable,
  organizationId: string,
  job: Claimed,
  seconds: number,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'embedding-job-extend',
    text: `update embedding_jobs set due_at = now() + make_interval(secs => $4::integer), attempts = 1,
             failure_code = null, failure_detail = null
           where organization_id = $1 and knowledge_base_id = $2 and claim = $3`,
    values: [organizationId, job.knowledge_base_id, job.claim, seconds],
  });
  return rowCount === 1;
}

/** Ends the job, unless there was another reason for it meanwhile: then it is due again. */
export async function endJob(
  db: Queryable,
  organizationId: string,
  job: Claimed & Pick<EmbeddingJob, 'wanted'>,
): Promise<void> {
  const { rowCount } = await db.query({
    name: 'embedding-job-end',
    text: `delete from embedding_jobs
           where organization_id = $1 and knowledge_base_id = $2 and claim = $3 and wanted = $4`,
    values: [organizationId, job.knowledge_base_id, job.claim, job.wanted],
  });
  if (rowCount === 0) await releaseJob(db, organizationId, job, 0, undefined);
}

/** Releases the claim, so that any replica can claim the job after a delay. */
export async function releaseJob(
  db: Queryable,
  organizationId: string,
  job: Claimed,
  seconds: number,
  failure: { readonly code: string; readonly detail: string } | undefined,
): Promise<void> {
  await db.query({
    name: 'embedding-job-release',
    text: `update embedding_jobs set claim = '', due_at = now() + make_interval(secs => $4::integer),
             failure_code = $5, failure_detail = $6
           where organization_id = $1 and knowledge_base_id = $2 and claim = $3`,
    values: [organizationId, job.knowledge_base_id, job.claim, seconds, failure?.code ?? null, failure?.detail ?? null],
  });
}
