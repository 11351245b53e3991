import { poller, type Background, type Database, type Logger } from '@parley/runtime';
import { writeLastUsed } from './verification.cross-tenant.sql';

export interface LastUsed extends Background {
  /** Notes in memory that a key was used just now. */
  touch(keyId: string): void;
}

/**
 * Collects which keys were used and writes them together, never a write per request; what is left is written on stop.
 * A crash loses a few seconds of it, which a "last used" can bear.
 */
export function lastUsed(options: { db: Database; log: Logger; everyMs?: number }): LastUsed {
  let touched = new Set<string>();
  const flush = async (): Promise<void> => {
    if (touched.size === 0) return;
    const keyIds = [...touched];
    touched = new Set();
    try {
      await writeLastUsed(options.db, keyIds);
    } catch (error) {
      keyIds.forEach((keyId) => touched.add(keyId));
      throw error;
    }
  };
  const job = poller({ name: 'last-used', everyMs: options.everyMs ?? 10_000, run: flush, log: options.log });
  return {
    name: job.name,
    touch: (keyId) => touched.add(keyId),
    start: () => job.start(),
    async stop() {
      await job.stop();
      await flush();
    },
  };
}
