import { type Background, type Database, type Logger, poller } from '@parley/runtime';
import { writeLastUsed } from './verification.cross-tenant.sql';
import { deleteOldKeys } from './key-owner.cross-tenant.sql';

export interface LastUsed extends Background {
  /** Records in memory that a key was used now, and from which address; an empty address means unknown. */
  touch(keyId: string, address?: string): void;
}

/**
 * Collects used keys in memory and writes many in one statement instead of one per request. The rest is written on stop. A crash loses a few seconds of uses,
 * which is acceptable for "last used".
 */
export function lastUsed(options: { db: Database; log: Logger; everyMs?: number }): LastUsed {
  let touched = new Map<string, string>();
  const flush = async (): Promise<void> => {
    if (touched.size === 0) return;
    const uses = touched;
    touched = new Map();
    try {
      await writeLastUsed(options.db, uses);
    } catch (error) {
      // Uses that were recorded during the failed write are newer and take precedence.
      touched = new Map([...uses, ...touched]);
      throw error;
    }
  };
  const job = poller({ name: 'last-used', everyMs: options.everyMs ?? 10_000, run: flush, log: options.log });
  return {
    name: job.name,
    touch: (keyId, address = '') => void touched.set(keyId, address || (touched.get(keyId) ?? '')),
    start: () => job.start(),
    async stop() {
      await job.stop();
      await flush();
    },
  };
}

/** For how many days lists show a key after its revocation or expiry. */
const keptDays = 90;
const everyMs = 3_600_000;
const batch = 500;

/** Deletes keys that were revoked or expired long ago. The audit log still refers to them by id. */
export function keyPruner({ db, log }: { db: Database; log: Logger }): Background {
  const run = async (signal: AbortSignal): Promise<void> => {
    for (let deleted = batch; deleted === batch && !signal.aborted;) deleted = await deleteOldKeys(db, keptDays, batch);
  };
  return poller({ name: 'key-pruner', everyMs, log, run });
}
