import type { Database } from '@parley/runtime';
import { claimChats } from './claim-chats.cross-tenant.sql';
import { anyWaiting, claimNext } from './claim.cross-tenant.sql';
import type { ClaimedJob, ClaimScope } from './job.rules';
import { countWaiting } from './waiting.cross-tenant.sql';

export interface ClaimedBatch {
  readonly jobs: readonly ClaimedJob[];
  /** Nothing was claimed although a job waits, because other claims have locked the same queues: retry at once. */
  readonly contended: boolean;
}

/**
 * Leases up to `capacity` jobs, one after another, in one transaction.
 * @param checkFirst checks with one query whether a job waits; an empty claim takes four round trips, so this is worth it if there was no job before
 */
export async function claimBatch(
  db: Database,
  scope: ClaimScope,
  capacity: number,
  checkFirst = false,
): Promise<ClaimedBatch> {
  // Chats come first, because a user waits for the agent's first message.
  const chats = await claimChats(db, scope, capacity);
  if (chats.length > 0) return { jobs: chats, contended: false };
  if (checkFirst && !(await anyWaiting(db, scope))) return { jobs: [], contended: false };
  const jobs = await db.transaction(async (tx) => {
    const claimed: ClaimedJob[] = [];
    const gone = new Map<string, number>();
    while (claimed.length < capacity) {
      const job = await claimNext(tx, scope);
      if (job === undefined) break;
      claimed.push(job);
      const { organizationId } = job.call;
      gone.set(organizationId, (gone.get(organizationId) ?? 0) - 1);
    }
    await countWaiting(tx, gone);
    return claimed;
  });
  return { jobs, contended: jobs.length === 0 && (await anyWaiting(db, scope)) };
}
