import { poller, type Logger, type Poller } from '@parley/runtime';
import { leaseTranslations } from './translation-jobs.cross-tenant.sql';
import type { Telephony } from '../../telephony';
import { translate } from './translate';
import type { Translator } from './translator';

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
