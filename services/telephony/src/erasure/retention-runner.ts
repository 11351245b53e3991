import { poller, type Background, type Logger } from '@parley/runtime';
import { claimRetention } from './due-retention.cross-tenant.sql';
import { applyRetention } from './apply-retention';
import type { Telephony } from '../telephony';

/** Applies the retention of organizations. */
export function createRetentionRunner(telephony: Telephony, log: Logger): Background {
  const run = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const due = await claimRetention(telephony.db);
      if (due === undefined) return;
      await applyRetention(telephony, due, signal).catch((error: unknown) => {
        log.error(
          { err: error, organization_id: due.organizationId },
          'retention could not be applied; it is tried again',
        );
      });
    }
  };
  return poller({ name: 'retention-runner', everyMs: 5_000, run, log });
}
