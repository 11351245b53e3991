import { observeBy, type Database, type Registry } from '@parley/runtime';

interface Aging {
  readonly erasing: number;
  readonly failed_erasures: number;
  readonly retention_failing: number;
}

/** Metrics of erasures that do not complete, and of retention that is not applied. All replicas report the same values. */
export function observeAging(registry: Registry, db: Database): void {
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
      const { rows } = await db.query<Aging>({
        name: 'aging',
        text: `select coalesce(extract(epoch from clock_timestamp() - least(
                   (select min(created_at) from erasures where status = 'running'),
                   (select min(erased_at) from erased_copies))), 0)::double precision as erasing,
                 (select count(*) from erasures where status = 'failed' and finished_at > now() - interval '7 days')::integer as failed_erasures,
                 coalesce(extract(epoch from clock_timestamp() - (select min(failing_since) from organization_retention)), 0)::double precision
                   as retention_failing`,
      });
      const [found] = rows;
      return {
        parley_oldest_erasure_seconds: found?.erasing ?? 0,
        parley_failed_erasures: found?.failed_erasures ?? 0,
        parley_retention_failing_seconds: found?.retention_failing ?? 0,
      };
    },
  );
}
