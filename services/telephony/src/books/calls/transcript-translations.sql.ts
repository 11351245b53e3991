import type { TranslationState } from '@parley/contract';
import type { Queryable } from '@parley/runtime';

// Spans halls: a translation is asked for in the transaction that stores the text.

export interface TranscriptTranslationRow {
  readonly status: TranslationState;
  readonly target_language: string;
  /** JSON: one text per turn. */
  readonly texts: string;
  readonly provider: string | null;
  readonly reason: string | null;
}

/** Requests the translation of a transcript. A transcript is translated only once. */
export async function askForTranscriptTranslation(
  tx: Queryable,
  organizationId: string,
  callId: string,
  targetLanguage: string,
): Promise<void> {
  await tx.query({
    name: 'transcript-translation-ask',
    text: `with asked as (
             insert into transcript_translations (call_id, organization_id, status, target_language, updated_at)
             values ($2::text, $1::text, 'pending', $3::text, clock_timestamp()) on conflict (call_id) do nothing returning 1)
           insert into translation_jobs (resource_id, organization_id, kind, target_language)
           select $2::text, $1::text, 'call', $3::text from asked`,
    values: [organizationId, callId, targetLanguage],
  });
}

export async function findTranscriptTranslation(
  db: Queryable,
  organizationId: string,
  callId: string,
): Promise<TranscriptTranslationRow | undefined> {
  const { rows } = await db.query<TranscriptTranslationRow>({
    name: 'transcript-translation-find',
    text: `select status, target_language, texts, provider, reason from transcript_translations
           where organization_id = $1 and call_id = $2`,
    values: [organizationId, callId],
  });
  return rows[0];
}

/** Completes a pending translation; returns whether it was pending. The caller has locked the call. */
export async function endTranscriptTranslation(
  tx: Queryable,
  organizationId: string,
  callId: string,
  end: { readonly texts: readonly string[]; readonly provider: string | null; readonly reason: string | null },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'transcript-translation-end',
    text: `update transcript_translations set status = case when $5::text is null then 'ready' else 'failed' end,
             texts = $3, provider = $4, reason = $5, updated_at = clock_timestamp()
           where organization_id = $1 and call_id = $2 and status = 'pending'`,
    values: [organizationId, callId, JSON.stringify(end.texts), end.provider, end.reason],
  });
  return rowCount > 0;
}
