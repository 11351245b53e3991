/**
 * The protocol between those who put a job into a queue and the pruner of idle queues. Anyone who makes a job wait holds a
 * shared advisory lock of the organization until the commit; the pruner takes it exclusively, or leaves the queue alone, and
 * looks for jobs only then. The queue's row itself is locked by claims alone, so that a claim never passes an organization
 * over because somebody is admitting calls to it at that moment.
 */
const lockSpace = 7401;

/** SQL expression that takes the shared lock; void. */
export const queueLock = (organizationId: string): string =>
  `pg_advisory_xact_lock_shared(${lockSpace}, hashtext(${organizationId}))`;

/** SQL expression with which the pruner tries to take the lock; boolean. */
export const queueTryLock = (organizationId: string): string =>
  `pg_try_advisory_xact_lock(${lockSpace}, hashtext(${organizationId}))`;

/** Inserts the queue if it is missing; `source` is the CTE that took the lock. A queue that was missing is served first. */
export const queueRow = (organizationId: string, source: string): string =>
  `insert into organization_queues (organization_id) select ${organizationId} from ${source}
   on conflict (organization_id) do nothing returning 1`;
