import { poller, type Logger, type Poller, type Queryable } from '@parley/runtime';
import type { Transcript } from '@parley/contract';
import type { Telephony } from '../../telephony';
import { endTranslation as endTranscript, findTranscript } from '../../books';
import { findMessage, recordMessages } from '../../messages';
import {
  leaseTranslations,
  deferTranslation,
  endTranslation,
  type TranslationJob,
} from './translation-jobs.cross-tenant.sql';
import type { Translator, TranslationOutcome, TranslationRequest } from './translator';

/** Maximum of jobs leased together; they are translated one by one. */
const batch = 16;

/** Longer than a provider may take for a long transcript. After a process died, another one takes its jobs when this time is over. */
const leaseSeconds = 60;

/** Translates texts that wait for a translation. */
export function createTranslationRunner(
  telephony: Pick<Telephony, 'db' | 'onCommit'>,
  translator: Translator,
  log: Logger,
): Poller {
  const run = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const jobs = await leaseTranslations(telephony.db, batch, leaseSeconds);
      if (jobs.length === 0) return;
      const outcomes = await Promise.allSettled(jobs.map((job) => translate(telephony, translator, job, log)));
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected')
          log.error({ err: outcome.reason as unknown }, 'a translation was not written');
      }
    }
  };
  return poller({ name: 'translation-runner', everyMs: 500, run, log });
}

/** Maximum of attempts at a provider, and the delay after each failure. */
const most = { attempts: 5, backoffSeconds: 60 } as const;

/**
 * Translates the text of a leased job and stores the result with its event. If the provider is unavailable, the job is retried; after the last attempt the
 * translation fails. If a job runs twice, only the first result is stored, because only a pending translation can be completed.
 */
async function translate(
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
