/**
 * How transactions that insert jobs avoid a conflict with the pruner of idle queues: an insert holds a shared advisory lock of the organization until the
 * commit. The pruner must get the lock exclusively before it checks for jobs; otherwise it leaves the queue alone. An insert also
 * locks the row of the queue against its deletion (`for key share`), which does not make a concurrent claim skip the organization.
 */
const lockSpace = 7401;

/** SQL expression that takes the shared lock; returns void. */
export const queueLock = (organizationId: string): string =>
  `pg_advisory_xact_lock_shared(${lockSpace}, hashtext(${organizationId}))`;

/** SQL expression with which the pruner tries to take the lock; returns a boolean. */
export const queueTryLock = (organizationId: string): string =>
  `pg_try_advisory_xact_lock(${lockSpace}, hashtext(${organizationId}))`;

/**
 * Inserts the queue if it is missing; `source` is the CTE that took the lock. A new queue is served first; one that exists is
 * locked against its deletion.
 */
export const queueRow = (organizationId: string, source: string): string =>
  `insert into organization_queues (organization_id) select ${organizationId} from ${source}
   where not exists (select from organization_queues q where q.organization_id = ${organizationId} for key share)
   on conflict (organization_id) do nothing returning 1`;
