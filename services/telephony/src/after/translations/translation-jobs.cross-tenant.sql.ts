import type { Queryable } from '@parley/runtime';

export interface TranslationJob {
  readonly resourceId: string;
  readonly organizationId: string;
  readonly kind: 'call' | 'message';
  readonly targetLanguage: string;
  /** How often the job was leased. */
  readonly attempt: number;
}

/** Leases due translations, oldest first; rows locked by other processes are skipped. */
export async function leaseTranslations(db: Queryable, limit: number, leaseSeconds: number): Promise<TranslationJob[]> {
  const { rows } = await db.query<{
    resource_id: string;
    organization_id: string;
    kind: TranslationJob['kind'];
    target_language: string;
    attempts: number;
  }>({
    name: 'translations-lease',
    text: `with due as materialized (
             select j.resource_id from translation_jobs j where j.due_at <= now()
             order by j.due_at limit $1 for update skip locked)
           update translation_jobs j set attempts = j.attempts + 1, due_at = clock_timestamp() + make_interval(secs => $2)
           from due where j.resource_id = due.resource_id
           returning j.resource_id, j.organization_id, j.kind, j.target_language, j.attempts`,
    values: [limit, leaseSeconds],
  });
  return rows.map((row) => ({
    resourceId: row.resource_id,
    organizationId: row.organization_id,
    kind: row.kind,
    targetLanguage: row.target_language,
    attempt: row.attempts,
  }));
}

/** Deletes the job after the translation succeeded or finally failed; the record contains the result. */
export async function endTranslation(tx: Queryable, resourceId: string): Promise<void> {
  await tx.query({
    name: 'translation-end',
    text: 'delete from translation_jobs where resource_id = $1',
    values: [resourceId],
  });
}

/** Schedules a retry; does nothing if another process has leased the job since. */
export async function deferTranslation(
  db: Queryable,
  { resourceId, attempt }: Pick<TranslationJob, 'resourceId' | 'attempt'>,
  afterSeconds: number,
): Promise<void> {
  await db.query({
    name: 'translation-defer',
    text: `update translation_jobs set due_at = clock_timestamp() + make_interval(secs => $3)
           where resource_id = $1 and attempts = $2`,
    values: [resourceId, attempt, afterSeconds],
  });
}
