import type { Database } from '@parley/runtime';
import { claimChats } from './claim-chats.cross-tenant.sql';
import { anyWaiting, claimNext, type ClaimedJob, type ClaimScope } from './claim.cross-tenant.sql';
import { countWaiting } from './waiting.cross-tenant.sql';

export interface ClaimedBatch {
  readonly jobs: readonly ClaimedJob[];
  /** Nothing was claimed although a job waits, because others were claiming from the same queues: retry at once. */
  readonly contended: boolean;
}

/**
 * Leases up to `capacity` jobs, one after the other, in one transaction.
 * @param lookFirst one query shows that there is nothing, where an empty claim takes four round trips; worth it where there was nothing before
 */
export async function claimBatch(
  db: Database,
  scope: ClaimScope,
  capacity: number,
  lookFirst = false,
): Promise<ClaimedBatch> {
  // Chats first, because a user waits for the first words.
  const chats = await claimChats(db, scope, capacity);
  if (chats.length > 0) return { jobs: chats, contended: false };
  if (lookFirst && !(await anyWaiting(db, scope))) return { jobs: [], contended: false };
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
