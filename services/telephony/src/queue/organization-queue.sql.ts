/**
 * The protocol between those who put a job into a queue and the pruner of idle queues. Anyone who makes a job wait holds a
 * shared advisory lock of the organization until the commit; the pruner takes it exclusively, or leaves the queue alone, and
 * looks for jobs only then. The queue's row itself is locked by claims alone, so that a claim never passes an organization
 * over because somebody is admitting calls to it at that moment.
 */
const lockSpace = 7401;

/** The expression that takes the shared lock; void. */
export const queueLock = (organizationId: string): string =>
  `pg_advisory_xact_lock_shared(${lockSpace}, hashtext(${organizationId}))`;

/** The expression by which the pruner tries for the lock; boolean. */
export const queueTryLock = (organizationId: string): string =>
  `pg_try_advisory_xact_lock(${lockSpace}, hashtext(${organizationId}))`;

/** The insert that makes sure of the queue; `source` is the CTE that took the lock. A queue that was gone goes first. */
export const queueRow = (organizationId: string, source: string): string =>
  `insert into organization_queues (organization_id) select ${organizationId} from ${source}
   on conflict (organization_id) do nothing returning 1`;
