import type { Transcript } from '@parley/contract';
import type { Logger, Queryable } from '@parley/runtime';
import { endTranslation as endTranscript, findTranscript } from '../../books';
import { deferTranslation, endTranslation, type TranslationJob } from './translation-jobs.cross-tenant.sql';
import { findMessage, recordMessages } from '../../messages';
import type { TranslationOutcome, TranslationRequest, Translator } from './translator';
import type { Telephony } from '../../telephony';

/** Maximum of attempts at a provider, and the delay after each failure. */
const most = { attempts: 5, backoffSeconds: 60 } as const;

/**
 * Translates the text of a leased job and stores the result with its event. If the provider is unavailable, the job is retried; after the last attempt the
 * translation fails. If a job runs twice, only the first result is stored, because only a pending translation can be completed.
 */
export async function translate(
  telephony: Pick<Telephony, 'db' | 'onCommit'>,
  translator: Translator,
  job: TranslationJob,
  log: Logger,
): Promise<void> {
  const { db } = telephony;
  const source = await loadTexts(db, job);
  let outcome: TranslationOutcome;
  try {
    outcome = source === undefined ? { refused: 'text_gone' } : await translator.translate(source);
  } catch (error) {
    log.warn({ err: error, resource_id: job.resourceId, attempt: job.attempt }, 'a translation failed');
    if (job.attempt < most.attempts) {
      await deferTranslation(db, job, Math.min(most.backoffSeconds, 2 ** job.attempt));
      return;
    }
    outcome = { refused: 'provider_unavailable' };
  }
  const end = outcome;
  await db.transaction(async (tx) => {
    if (job.kind === 'message') await endMessage(tx, job, translator.name, end);
    else await endTranscript(tx, job.organizationId, job.resourceId, endOf(end, translator.name));
    await endTranslation(tx, job.resourceId);
  });
  telephony.onCommit(false);
}

async function loadTexts(
  db: Queryable,
  { kind, organizationId, resourceId, targetLanguage }: TranslationJob,
): Promise<TranslationRequest | undefined> {
  if (kind === 'message') {
    const message = await findMessage(db, organizationId, resourceId);
    return message && { texts: [message.body], sourceLanguage: message.language ?? undefined, targetLanguage };
  }
  const transcript = await findTranscript(db, organizationId, resourceId);
  if (transcript === undefined) return undefined;
  const { language, turns } = JSON.parse(transcript) as Transcript;
  return { texts: turns.map(({ text }) => text), sourceLanguage: language, targetLanguage };
}

async function endMessage(
  tx: Queryable,
  { organizationId, resourceId: messageId }: TranslationJob,
  provider: string,
  outcome: TranslationOutcome,
): Promise<void> {
  if ('refused' in outcome) {
    const moves = [['fail_translation', { errorDetail: outcome.refused }]] as const;
    await recordMessages(tx, organizationId, [{ messageId, moves }]);
    return;
  }
  const moves = [['translate', { translated: { body: outcome.texts[0] ?? '', provider } }]] as const;
  await recordMessages(tx, organizationId, [{ messageId, moves }]);
}

const endOf = (outcome: TranslationOutcome, provider: string) =>
  'refused' in outcome ? { reason: outcome.refused } : { texts: outcome.texts, provider };
