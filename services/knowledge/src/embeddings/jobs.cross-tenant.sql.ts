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

/** First key of the advisory lock of claims; the second key is the schema. */
const claimSpace = 7411;

/**
 * Serializes claims of documents and of knowledge bases until the commit, so that each one counts all others of its organization. A process that stalls in the
 * middle loses the lock after five seconds.
 */
export async function lockClaims(tx: Queryable): Promise<void> {
  await tx.query({
    name: 'claims-lock',
    text: `select set_config('idle_in_transaction_session_timeout', '5000', true),
             pg_advisory_xact_lock(${claimSpace}, hashtext(current_schema()))`,
    values: [],
  });
}

/**
 * Claims the knowledge base that is due longest. Organizations without one in progress come first. An expired claim is taken over. The caller holds the lock of
 * claims.
 * @param reserved only one of an organization that has none in progress
 */
export async function claimJob(
  tx: Queryable,
  { claim, seconds, reserved }: { readonly claim: string; readonly seconds: number; readonly reserved: boolean },
): Promise<EmbeddingJob | undefined> {
  const { rows } = await tx.query<EmbeddingJob>({
    name: 'embedding-job-claim',
    text: `with due as (
             select knowledge_base_id from embedding_jobs j, lateral (select exists (select from embedding_jobs busy where busy.claim <> ''
                 and busy.organization_id = j.organization_id and busy.due_at > now()) as busy) as others
             where due_at < now() and not (busy and $3::boolean)
             order by busy, due_at limit 1 for update of j skip locked
           )
           update embedding_jobs set claim = $1, due_at = now() + make_interval(secs => $2::integer), attempts = attempts + 1
           from due where embedding_jobs.knowledge_base_id = due.knowledge_base_id
           returning organization_id, embedding_jobs.knowledge_base_id, claim, wanted, attempts`,
    values: [claim, seconds, reserved],
  });
  return rows[0];
}
