import type { Queryable } from '@parley/runtime';
import { readSealedTunings, replaceTuning, type PinnedTuning } from './calls.cross-tenant.sql';

const page = 200;

/**
 * Passes on the pinned tuning of each open call that has encrypted header values of tools, and stores what `change` returns, unless the tuning has changed in
 * the meantime.
 */
export async function changeSealedTunings(db: Queryable, change: (call: PinnedTuning) => string): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const found: readonly PinnedTuning[] = await readSealedTunings(db, after, page);
    for (const call of found) {
      const changed = change(call);
      if (changed !== call.tuning) await replaceTuning(db, call, changed);
    }
    after = found.length < page ? undefined : found.at(-1)?.call_id;
  }
}
