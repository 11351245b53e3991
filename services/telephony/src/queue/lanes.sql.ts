/**
 * The protocol between those who put a job into a lane and the pruner of idle lanes. Anyone who makes a job wait holds a
 * shared advisory lock of the organization until the commit; the pruner takes it exclusively, or leaves the lane alone, and
 * looks for jobs only then. The lane's row itself is locked by claims alone, so that a claim never passes an organization
 * over because somebody is admitting calls to it at that moment.
 */
const lockSpace = 7401;

/** The expression that takes the shared lock; void. */
export const laneLock = (organizationId: string): string =>
  `pg_advisory_xact_lock_shared(${lockSpace}, hashtext(${organizationId}))`;

/** The expression by which the pruner tries for the lock; boolean. */
export const laneTryLock = (organizationId: string): string =>
  `pg_try_advisory_xact_lock(${lockSpace}, hashtext(${organizationId}))`;

/** The insert that makes sure of the lane; `source` is the CTE that took the lock. A lane that was gone goes first. */
export const laneRow = (organizationId: string, source: string): string =>
  `insert into lanes (organization_id) select ${organizationId} from ${source}
   on conflict (organization_id) do nothing returning 1`;
