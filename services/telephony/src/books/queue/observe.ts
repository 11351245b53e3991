import { observeBy, type Database, type Registry } from '@parley/runtime';
import { countAtMost, readAging, readDepths } from './depths.cross-tenant.sql';

/**
 * Metrics that are read from the database: of the queues and of workers' leases, of erasures that do not complete, and of retention that is not applied. All
 * replicas report the same values.
 */
export function observeBooks(registry: Registry, db: Database): void {
  observeBy(
    registry,
    {
      parley_call_jobs_queued: `Jobs that wait, those for later included; at most ${countAtMost}`,
      parley_call_jobs_runnable: 'Of them, those that a worker may claim now',
      parley_call_jobs_oldest_runnable_seconds:
        'For how long the one of them that waits longest could have been claimed',
      parley_call_jobs_leased: 'Jobs that a worker holds',
      parley_call_jobs_expired_leases: 'Of them, those whose lease ran out and that the reaper has not taken back yet',
    },
    async () => {
      const { queued, due, oldest, leased, expired } = await readDepths(db);
      return {
        parley_call_jobs_queued: queued,
        parley_call_jobs_runnable: due,
        parley_call_jobs_oldest_runnable_seconds: Math.max(0, oldest),
        parley_call_jobs_leased: leased,
        parley_call_jobs_expired_leases: expired,
      };
    },
  );
  observeBy(
    registry,
    {
      parley_oldest_erasure_seconds:
        'For how long the oldest erasure has run, or a copy of what was erased has been left',
      parley_failed_erasures: 'Erasures that were abandoned within the last seven days',
      parley_retention_failing_seconds:
        'For how long the retention rules of an organization have failed, of the first such organization',
    },
    async () => {
      const { erasing, failed_erasures: failed, retention_failing: failing } = await readAging(db);
      return {
        parley_oldest_erasure_seconds: erasing,
        parley_failed_erasures: failed,
        parley_retention_failing_seconds: failing,
      };
    },
  );
}
